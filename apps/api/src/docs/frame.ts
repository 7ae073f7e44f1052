/** The ways to everything there is to read, at the head of each page. */
export const NAVIGATION = `<nav>
      <a href="/docs"><strong>AgentFlow</strong> API</a>
      <a href="/docs/guides">Guides</a>
      <a href="/docs/problems">Problems</a>
      <a href="/docs/decisions">Decisions</a>
    </nav>`;

/** A whole page around what it says, which is HTML; the title is text of our own. */
export function framed(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · AgentFlow</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/pages.css" />
  </head>
  <body>
    ${NAVIGATION}
    <main>
${content}
    </main>
  </body>
</html>
`;
}

/** What a reader sees who followed a wrong address. */
export const NOT_FOUND_PAGE = framed(
  'Not found',
  `<h1>There is no such page</h1>
<p>The address may be mistyped, or from another version. Look among the <a href="/docs/guides">guides</a>, the
<a href="/docs/problems">problems</a> and the <a href="/docs">API</a>.</p>`,
);
