import { DomainError } from '@agentflow/domain';
import { scopeId, type Scope } from '@agentflow/database';
import { createHash } from 'node:crypto';

/** What a cursor belongs to: it is refused with another list, another filter or another scope. */
export interface CursorBinding {
  list: string;
  scope: Scope;
  filters: object;
}

/**
 * Where a page ended: the whole sort key of its last row, as the database wrote it. The seal is no secret (every
 * page applies the caller's scope again); it binds the cursor to its list and finds a changed character.
 */
export function encodeCursor(binding: CursorBinding, sortKey: readonly (string | number)[]): string {
  const position = Buffer.from(JSON.stringify(sortKey)).toString('base64url');
  return `${position}.${seal(binding, position)}`;
}

/** The sort key in a cursor; throws `invalid_cursor` for anything that `encodeCursor` did not make for this list. */
export function decodeCursor(
  binding: CursorBinding,
  cursor: string | undefined,
): (string | number)[] | undefined {
  if (cursor === undefined) return undefined;
  const [position = '', given = '', rest] = cursor.split('.');
  if (rest !== undefined || given !== seal(binding, position)) throw new DomainError('invalid_cursor');
  return JSON.parse(Buffer.from(position, 'base64url').toString()) as (string | number)[];
}

function seal({ list, scope, filters }: CursorBinding, position: string): string {
  const { cursor: _cursor, limit: _limit, ...bound } = filters as Record<string, unknown>;
  const filtered = Object.entries(bound).filter(([, value]) => value !== undefined);
  const sealed = JSON.stringify([
    list,
    scopeId(scope),
    filtered.sort(([a], [b]) => (a < b ? -1 : 1)),
    position,
  ]);
  return createHash('sha256').update(sealed).digest('base64url').slice(0, 16);
}
