import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { connected } from '../support/database.js';
import { textOf } from '../support/markdown.js';
import { untilEventsAreSettled } from '../support/settled-events.js';
import { openStream } from '../support/streams.js';
import { aRunningRun, aStep } from '../support/things.js';

/** The one example of SQL on a page that says something, as it stands there. */
function sqlOf(page: string, saying: string): string {
  const examples = [...textOf(`docs/guides/${page}.md`).matchAll(/^( *)```sql\n([\s\S]*?)^\1```$/gm)];
  const found = examples.map(([, , text]) => text as string).filter((text) => text.includes(saying));
  if (found.length !== 1) throw new Error(`${page} has ${found.length} examples with ${saying}`);
  return found[0] as string;
}

describe('SQL that the guides tell a superuser to run', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('old entries of the audit log are dropped, younger ones stay, and it is guarded again', async () => {
    await connected(api.database.adminUrl, async (client) => {
      await client.query(`INSERT INTO audit_log (tenant_id, id, at, actor, action, entity_type, entity_id)
        SELECT organizations.id, gen_random_uuid(), now() - age, 'system', 'agent.deleted', 'agent', gen_random_uuid()
        FROM organizations, unnest(ARRAY['8 years', '6 years']::interval[]) AS age`);
      const entries = async (): Promise<string[]> => {
        const { rows } = await client.query<{ action: string }>('SELECT action FROM audit_log ORDER BY at');
        return rows.map(({ action }) => action);
      };
      const [, ...younger] = await entries();
      expect(younger.slice(0, 2)).toEqual(['agent.deleted', 'organization.created']);
      await client.query(sqlOf('audit-log', 'DELETE FROM audit_log'));
      expect(await entries()).toEqual(younger);
      await expect(client.query('DELETE FROM audit_log')).rejects.toThrow('audit_log');
    });
  });

  it('in a restored cluster, whose numbers begin anew, streams of all runs tell what goes on in runs from before', async () => {
    const run = await aRunningRun(api.admin);
    await connected(api.database.adminUrl, async (client) => {
      // As they come from a cluster that has come further.
      await client.query(`SET session_replication_role = replica;
        UPDATE run_events SET xid = xid + 100000;
        UPDATE runs SET last_event_xid = last_event_xid + 100000`);
    });
    await connected(api.database.adminUrl, (client) => client.query(sqlOf('operation', 'UPDATE run_events')));
    await untilEventsAreSettled(api.database);
    const stream = await openStream(api, '/v1/events', api.adminKey);
    await aStep(api.admin, run.id);
    expect((await stream.take(1)).map(({ data }) => [data.run_id, data.seq])).toEqual([[run.id, 3]]);
    stream.close();
  });

  it('who is to make backups reads every row of every organization, and changes none', async () => {
    const name = `backup_${randomUUID().slice(0, 8)}`;
    await connected(api.database.adminUrl, async (admin) => {
      await admin.query(sqlOf('operation', 'CREATE ROLE backup').replaceAll(/\bbackup\b/g, name));
      const url = new URL(api.database.adminUrl);
      [url.username, url.password] = [name, '…'];
      await connected(url.href, async (client) => {
        const { rows } = await admin.query<{ name: string }>(
          `SELECT oid::regclass::text AS name FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
        );
        for (const { name: table } of rows) {
          const [seen, all] = await Promise.all(
            [client, admin].map((who) => who.query(`SELECT FROM ${table}`)),
          );
          expect([table, seen?.rowCount]).toEqual([table, all?.rowCount]);
          await expect(client.query(`DELETE FROM ${table}`)).rejects.toThrow('permission denied');
        }
        expect(rows.length).toBeGreaterThan(10);
      });
      await admin.query(`DROP ROLE ${name}`);
    });
  });
});
