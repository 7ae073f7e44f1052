import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Client } from '../support/client.js';
import { everyRow } from '../support/pages.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { atOnce } from '../support/race.js';
import { aRunningRun } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const WRITERS = 32;

/** Each kind with an index: its door, how many each writer adds, a report, and what of it tells writer and turn. */
const KINDS = [
  ['steps', 50, (mark: string) => ({ node: mark }), 'node'],
  ['messages', 15, (mark: string) => ({ role: 'user', content: mark }), 'content'],
  ['checkpoints', 15, (mark: string) => ({ state: 1, label: mark }), 'label'],
] as const;

describe('indexes under load', () => {
  let apis: ApiPair;
  let truth: Truth;
  beforeAll(async () => {
    apis = await aPairOfApis();
    truth = theTruth(apis.first.database);
    // Three of twenty events cancel their transaction, after what they tell of was written and counted on.
    await truth.query(`
      CREATE SEQUENCE turns;
      CREATE FUNCTION cancel_some() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        IF nextval('turns') % 20 IN (3, 9, 14) THEN
          RAISE EXCEPTION 'cancelled' USING ERRCODE = 'query_canceled';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER cancel_some AFTER INSERT ON run_events FOR EACH ROW
        WHEN (NEW.type IN ('step.started', 'message.created', 'checkpoint.created')) EXECUTE FUNCTION cancel_some()`);
  });
  afterAll(async () => {
    await truth.close();
    await apis.close();
  });

  it.each(KINDS)(
    `[I8] ${WRITERS} writers of %s on one run, with rolled back ones among them, leave no gap and no double`,
    async (door, each, report, member) => {
      const run = await aRunningRun(apis.first.admin);
      const path = `/v1/runs/${run.id}/${door}`;
      let rolledBack = 0;
      const add = async (client: Client, mark: string): Promise<void> => {
        const body = { id: randomUUID(), ...report(mark) };
        for (;;) {
          const answer = await client.post(path, body);
          if (answer.status === 201) return;
          expect([answer.status, answer.body.code]).toEqual([503, 'timeout']);
          rolledBack++;
        }
      };
      await atOnce(WRITERS, async (writer) => {
        const client = apis.admins[writer % 2] as Client;
        for (let turn = 0; turn < each; turn++) await add(client, `${writer}.${turn}`);
      });

      const rows = await everyRow(apis.first.admin, path, 200);
      expect(rows.map(({ index }) => index)).toEqual(Array.from({ length: WRITERS * each }, (_row, i) => i));
      const turns = new Map<string, string[]>();
      for (const row of rows) {
        const [writer = '', turn = ''] = row[member].split('.');
        turns.set(writer, [...(turns.get(writer) ?? []), turn]);
      }
      expect(turns.size).toBe(WRITERS);
      for (const ofWriter of turns.values()) expect(ofWriter).toEqual([...Array(each).keys()].map(String));
      const attempts = WRITERS * each + rolledBack;
      expect(rolledBack / attempts).toBeCloseTo(0.15, 1);
      const events = await truth.events(run.id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, i) => i + 1));
      expect(events).toHaveLength(2 + WRITERS * each);
    },
    120_000,
  );
});
