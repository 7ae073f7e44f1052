import { composeKey } from '@agentflow/domain';
import { randomBytes } from 'node:crypto';

/** A key that a process can be given as its first, for an organization's admin. */
export function anAdminKey(): string {
  const letters = (count: number): string => randomBytes(count).toString('hex').slice(0, count);
  return composeKey('organization', letters(12), letters(43));
}
