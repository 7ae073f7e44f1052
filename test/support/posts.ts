import { randomUUID } from 'node:crypto';
import { ROOT_KEY, type TestApi } from './api.js';
import type { Caller } from './matrix/callers.js';
import { aPlace, type Place } from './matrix/places.js';
import type { Sample } from './matrix/sample.js';
import { PLAIN_SAMPLES, SAMPLES } from './matrix/samples.js';
import { filled, thingsOf } from './matrix/targets.js';
import { aProject } from './things.js';
import type { Truth } from './truth.js';

/** A POST that will succeed. */
export interface Post {
  readonly path: string;
  /** JSON. */
  readonly body: string;
  readonly key: string;
}

/** The routes that are posted to with an `Idempotency-Key`, by path: reporters of others know of none. */
export const POST_PATHS = [...Object.keys(PLAIN_SAMPLES), 'POST /v1/ingest']
  .filter((name) => name.startsWith('POST '))
  .map((name) => name.slice('POST '.length));

/** Where posts go: an agent with a running run, in the first organization. */
export async function aPlaceToPost(api: TestApi): Promise<Place> {
  const { organization } = (await api.admin.get('/v1/me')).body;
  const { id } = await aProject(api.admin);
  return aPlace({ organizationId: organization.id as string, admin: api.admin }, id as string, ['running']);
}

/** A post to this route that can be carried out once, with all that it needs. */
export async function aPost(at: Place, path: string): Promise<Post> {
  const sample = SAMPLES[`POST ${path}`] as Sample;
  const key = sample.needs === 'organizations:create' ? ROOT_KEY : (at.admin.key as string);
  const caller: Caller = {
    name: 'admin',
    key,
    fate: 'works',
    scope: 'organization',
    role: 'admin',
    home: at,
  };
  // Restoring what is there already would have no effect.
  if (path.endsWith('/restore')) {
    await at.admin.patch(`/v1/agents/${at.agentId}`, { description: randomUUID() });
  }
  const fresh = await sample.fresh?.(at, caller);
  return {
    path: filled(path, { ...thingsOf(at, path), ...fresh?.params }),
    body: JSON.stringify(fresh?.body ?? sample.body?.(at, caller) ?? {}),
    key,
  };
}

const TABLES = ['organizations', 'api_keys', 'projects', 'agents', 'agent_versions', 'runs', 'run_events'];
const CHILDREN = ['steps', 'messages', 'tool_calls', 'checkpoints', 'idempotency_keys'];

/** How many rows there are, table by table; every effect of a post is a row more in one of them, or an event. */
export async function rowCounts(truth: Truth): Promise<Record<string, number>> {
  const counts = [...TABLES, ...CHILDREN].map(
    (table) => `(SELECT count(*) FROM ${table})::integer AS ${table}`,
  );
  return (await truth.query(`SELECT ${counts.join(', ')}`))[0] as Record<string, number>;
}

/** What came to be between two counts. */
export function grownBy(
  before: Record<string, number>,
  after: Record<string, number>,
): Record<string, number> {
  const grown = Object.entries(after).map(([table, count]) => [table, count - (before[table] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, growth]) => growth !== 0));
}
