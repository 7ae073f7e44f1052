/**
 * Checks where the API is: http or https, without credentials (they would get into logs), query or fragment. A path
 * in front of the API's own is kept.
 */
export function readBaseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new TypeError(`The base URL ${JSON.stringify(text)} is not a URL`);
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError('The base URL has to begin with http:// or https://');
  if (url.username || url.password)
    throw new TypeError('The base URL must not contain a user name or password');
  if (url.search || url.hash) throw new TypeError('The base URL must not contain a query or a fragment');
  return url;
}

/** What a list can be asked for; a list of words is sent with commas between. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The address of a route, whose segments may be ids. */
export function urlOf(base: URL, route: readonly string[], query: Query = {}): string {
  const url = new URL(base);
  url.pathname = [base.pathname.replace(/\/+$/, ''), 'v1', ...route.map(segment)].join('/');
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** An empty id, or dots, would make the address that of something else. */
function segment(id: unknown): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new TypeError(`${JSON.stringify(id)} is not an id`);
  return encodeURIComponent(id);
}
