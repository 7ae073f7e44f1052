/** What every page shares: light and dark as the reader has it, the system's own letters, the ways at the head. */
const SHARED = `:root { color-scheme: light dark; --line: #8884; --accent: light-dark(#2050c0, #8ab4ff); }
body > nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font: 1rem/1.55 system-ui, sans-serif; }
body > nav a { color: var(--accent); }
`;

/** The look of a page: one column. What is wider than it scrolls by itself, with a shadow on the side that has more. */
export const PAGE_STYLE = `${SHARED}
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif; }
body > nav { border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
a { color: var(--accent); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
h1, h2, h3, p, li { overflow-wrap: anywhere; }
pre, table {
  --cover: light-dark(#fff, #121212); --shade: light-dark(#0003, #fff4); overflow-x: auto;
  background:
    linear-gradient(to right, var(--cover) 30%, transparent) left / 3rem 100% local no-repeat,
    linear-gradient(to left, var(--cover) 30%, transparent) right / 3rem 100% local no-repeat,
    linear-gradient(to right, var(--shade), transparent) left / .75rem 100% scroll no-repeat,
    linear-gradient(to left, var(--shade), transparent) right / .75rem 100% scroll no-repeat;
}
pre { padding: .75rem; border: 1px solid var(--line); border-radius: 4px; }
code { font: .875em/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; display: block; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
`;

/** The API page beside its own style sheet: the ways at its head, and what Swagger UI leaves hard to read. */
export const API_STYLE = `${SHARED}
body { margin: 0; }
body > nav { max-width: 1460px; margin: 0 auto; padding: .75rem 20px; box-sizing: border-box; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .headers td, .swagger-ui .headers th { padding-right: .75rem; }
html.dark-mode .swagger-ui .headers td, html.dark-mode .swagger-ui .headers .header-col,
html.dark-mode .swagger-ui .headers .col_header { color: #e4e6e6; }
`;
