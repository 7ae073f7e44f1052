import type { ApiPromise } from './http/api-promise.js';
import type { CallOptions, Transport } from './http/transport.js';
import type { Query } from './http/url.js';
import type { Page } from './types.js';

/**
 * A list, page by page: `for await (const run of client.runs.list())` goes through all of it and asks for pages as
 * they are needed; `page()` gives one. Nothing is asked before.
 */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (cursor?: string) => ApiPromise<Page<T>>;

  constructor(read: (cursor?: string) => ApiPromise<Page<T>>) {
    this.#read = read;
  }

  /** The page that the query asks for; its `next_cursor` as `cursor` of another query leads on. */
  page(): ApiPromise<Page<T>> {
    return this.#read();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page = await this.#read();
    for (;;) {
      yield* page.data;
      if (page.next_cursor === null) return;
      page = await this.#read(page.next_cursor);
    }
  }
}

/** The list of a route; each page is a call of its own with a deadline of its own. */
export function listAt<T>(
  transport: Transport,
  route: readonly string[],
  query: Query,
  options?: CallOptions,
): List<T> {
  return new List((cursor) =>
    transport.call<Page<T>>({ method: 'GET', route, query: cursor ? { ...query, cursor } : query }, options),
  );
}
