import type { Database } from '@agentflow/database';
import { createHash } from 'node:crypto';
import { operator, type Caller } from '../access/caller.js';
import { isSpent } from './sql/is-spent.js';

/**
 * The operator in the organization that a founding under this key is about. A repeat has to meet the same one, so
 * its id follows from the key; once the answer is forgotten the key founds the next.
 */
export async function founderUnder(database: Database, key: string): Promise<Caller> {
  for (let turn = 0; ; turn++) {
    const founder = operator(organizationId(key, turn));
    if (!(await database.transaction(founder, (tx) => isSpent(tx, key)))) return founder;
  }
}

function organizationId(key: string, turn: number): string {
  const hex = createHash('sha256').update(`organization:${turn}:${key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
