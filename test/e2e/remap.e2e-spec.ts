import { mapAllAgain } from '@agentflow/core';
import { APP_ROLE, DEFAULT_LIMITS, WORKER_ROLE, connect, type Connected } from '@agentflow/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { OPENAI_AGENTS } from '../../apps/api/src/dialects/report-dialects.js';
import { anApi, type TestApi } from '../support/api.js';
import { aProject } from '../support/things.js';

describe('mapping again what was received', () => {
  let api: TestApi;
  const open: Connected[] = [];
  beforeAll(async () => {
    api = await anApi();
    await aProject(api.admin);
    for (const role of [APP_ROLE, WORKER_ROLE] as const) {
      const url = api.database.adminUrl;
      open.push(
        await connect({
          url,
          role,
          size: 2,
          acquireTimeoutMs: 2_000,
          limits: DEFAULT_LIMITS,
          applicationName: 'remap',
        }),
      );
    }
  });
  afterAll(async () => {
    for (const connected of open) await connected.close();
    await api.close();
  });

  it('A later mapping is applied to the records as they came, once, and changes what it says otherwise', async () => {
    const body = readFileSync(new URL('../fixtures/drop-in/openai-agents-js.json', import.meta.url));
    const headers = { authorization: `Bearer ${api.adminKey}`, 'content-type': 'application/json' };
    await fetch(`${api.url}/openai/v1/traces/ingest`, { method: 'POST', headers, body });
    const [run] = (await api.admin.get('/v1/runs')).body.data;
    const later = {
      ...OPENAI_AGENTS,
      version: OPENAI_AGENTS.version + 1,
      map: (bodies: readonly Uint8Array[]) => {
        const { items } = OPENAI_AGENTS.map(bodies);
        return {
          items: items.map((item) =>
            item.type === 'step.started' ? { ...item, node: `later ${item.node}` } : item,
          ),
        };
      },
    };
    const [app, worker] = open as [Connected, Connected];
    const databases = { app: app.database, worker: worker.database };
    expect(await mapAllAgain(databases, OPENAI_AGENTS)).toBe(0);
    expect(await mapAllAgain(databases, later)).toBe(1);
    expect(await mapAllAgain(databases, later)).toBe(0);
    const again = (await api.admin.get(`/v1/runs/${run.id}?include=steps`)).body;
    expect(again.totals).toEqual(run.totals);
    expect(again.steps.data.length).toBeGreaterThan(0);
    for (const step of again.steps.data) expect(step.node).toMatch(/^later /);
  });
});
