import type { Client } from './client.js';

type Row = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

/** Every row of a list, page by page; fails when a page is not 200 or the cursors do not come to an end. */
export async function everyRow(client: Client, path: string, limit: number, from?: string): Promise<Row[]> {
  const rows: Row[] = [];
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  for (let cursor = from; ;) {
    const page = await client.get(cursor === undefined ? first : `${first}&cursor=${cursor}`);
    if (page.status !== 200) throw new Error(`${page.status}: ${page.text}`);
    rows.push(...page.body.data);
    if (page.body.next_cursor === null) return rows;
    if (page.body.data.length !== limit) throw new Error('a page that has a successor is not full');
    cursor = page.body.next_cursor;
  }
}
