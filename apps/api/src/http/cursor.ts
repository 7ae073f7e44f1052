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

/**
 * The sort key in a cursor. Throws `invalid_cursor` for anything that `encodeCursor` did not make for this list; and
 * since anybody can make a seal, for any position that the list's rows cannot have.
 */
export function decodeCursor(
  binding: CursorBinding,
  cursor: string | undefined,
  isPosition: (sortKey: readonly unknown[]) => boolean,
): (string | number)[] | undefined {
  if (cursor === undefined) return undefined;
  const sortKey = openCursor(binding, cursor, isPosition);
  if (sortKey === undefined) {
    throw new DomainError('invalid_cursor', {
      faults: [{ pointer: '?cursor', detail: 'is not a cursor of this list with these filters' }],
    });
  }
  return sortKey;
}

/** The same, for whoever refuses it in his own words: undefined where it does not fit. */
export function openCursor(
  binding: CursorBinding,
  cursor: string,
  isPosition: (sortKey: readonly unknown[]) => boolean,
): (string | number)[] | undefined {
  const [position = '', given = '', rest] = cursor.split('.');
  const sortKey = rest === undefined && given === seal(binding, position) ? listIn(position) : undefined;
  return sortKey && isPosition(sortKey) ? (sortKey as (string | number)[]) : undefined;
}

function listIn(position: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(position, 'base64url').toString());
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
