import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countedUsage } from '@agentflow/domain';
import fc from 'fast-check';
import { anApi, type TestApi } from '../support/api.js';
import { EFFORT } from '../support/effort.js';
import { aRunningRun, aStep, aToolCall, anAgent } from '../support/things.js';

const MAX_TOKENS = 2 ** 53 - 1;

interface Usage {
  tokens_in?: number;
  tokens_out?: number;
  cost_usd?: string;
}

/** A step: below which earlier one, what it reports when it begins, and what later, in which order. */
interface PlannedStep {
  below: number;
  begins: Usage;
  later: Usage;
  turn: number;
}

const anAmount = fc.oneof(
  fc.integer({ min: 0, max: 99 }),
  fc.integer({ min: MAX_TOKENS - 9, max: MAX_TOKENS }),
);
const aCost = fc
  .bigInt({ min: 0n, max: 10n ** 20n - 1n })
  .map((units) => asDecimal(units))
  .filter((text) => text.length < 22);
const aUsage: fc.Arbitrary<Usage> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.record(
      { tokens_in: anAmount, tokens_out: anAmount, cost_usd: aCost },
      { requiredKeys: [] },
    ),
  },
);
const aPlan: fc.Arbitrary<PlannedStep[]> = fc.array(
  fc.record({ below: fc.nat(), begins: aUsage, later: aUsage, turn: fc.nat() }),
  { minLength: 1, maxLength: 12, size: 'max' },
);

/** Units of 10⁻¹⁰ dollars as a decimal without trailing zeros, and back. */
function asDecimal(units: bigint): string {
  const digits = units.toString().padStart(11, '0');
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, '');
}
function asUnits(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(10, '0'));
}

describe('the totals of a run', () => {
  let api: TestApi;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(() => api.close());

  /** The totals with every digit, which a JavaScript number would round. */
  async function totalsOf(runId: string) {
    const { text } = await api.admin.get(`/v1/runs/${runId}`);
    const figure = (name: string): string => new RegExp(`"${name}":"?([0-9.]+)`).exec(text)?.[1] ?? '';
    const totals = text.slice(text.indexOf('"totals"'));
    expect(totals).toContain('"cost_usd":"');
    return { in: figure('tokens_in'), out: figure('tokens_out'), cost: figure('cost_usd') };
  }

  async function report(plan: PlannedStep[]): Promise<string> {
    const run = await aRunningRun(api.admin, { agent_id });
    const ids: string[] = [];
    for (const [i, { below, begins }] of plan.entries()) {
      const parent_step_id = ids[below % (i + 1)]; // none, when it falls upon itself
      ids.push(
        (await aStep(api.admin, run.id, { ...begins, ...(parent_step_id ? { parent_step_id } : {}) })).id,
      );
    }
    const turns = plan.map((step, i) => ({ ...step, id: ids[i] })).sort((a, b) => a.turn - b.turn);
    for (const { id, later } of turns) {
      const changed = await api.admin.patch(`/v1/runs/${run.id}/steps/${id}`, {
        ...later,
        status: 'succeeded',
      });
      expect(changed.status).toBe(200);
    }
    return run.id;
  }

  function expected(plan: PlannedStep[]) {
    const steps = plan.map(({ below, begins, later }, i) => {
      const parent = below % (i + 1);
      const usage: Usage = { ...begins, ...later };
      return { id: String(i), parentId: parent === i ? null : String(parent), usage };
    });
    /** Tokens and cost are counted each by itself, at the deepest steps that say it. */
    const sum = (says: (usage: Usage) => boolean, of: (usage: Usage) => bigint): bigint => {
      const counted = countedUsage(steps.map((step) => ({ ...step, carriesUsage: says(step.usage) })));
      return steps.reduce((total, { id, usage }) => total + (counted.has(id) ? of(usage) : 0n), 0n);
    };
    const saysTokens = ({ tokens_in, tokens_out }: Usage): boolean => (tokens_in ?? tokens_out) !== undefined;
    return {
      in: String(sum(saysTokens, ({ tokens_in }) => BigInt(tokens_in ?? 0))),
      out: String(sum(saysTokens, ({ tokens_out }) => BigInt(tokens_out ?? 0))),
      cost: asDecimal(
        sum(
          ({ cost_usd }) => cost_usd !== undefined,
          ({ cost_usd }) => asUnits(cost_usd ?? '0'),
        ),
      ),
    };
  }

  it(
    '[F10] Usage counts at the deepest steps that carry it, exactly, whatever the tree and the order of reports',
    async () => {
      await fc.assert(
        fc.asyncProperty(aPlan, async (plan) => {
          expect(await totalsOf(await report(plan))).toEqual(expected(plan));
        }),
        { numRuns: 25 * EFFORT, endOnFailure: true },
      );
    },
    30_000 * EFFORT,
  );

  it.each(['from the top', 'from the bottom'])('A deep chain counts once, completed %s', async (order) => {
    const chain = Array.from({ length: 30 }, (_step, i) => ({
      below: Math.max(0, i - 1),
      begins: {},
      later: { tokens_in: 1000 + i, cost_usd: '0.5' },
      turn: order === 'from the top' ? i : -i,
    }));
    expect(await totalsOf(await report(chain))).toEqual({ in: '1029', out: '0', cost: '0.5' });
  });

  it('[F10] Many small costs and token counts beyond 2^53 add up without a drift', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    const step = { node: 'llm', status: 'succeeded', cost_usd: 0.000000123, tokens_in: MAX_TOKENS };
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 25; i++) await aStep(api.admin, run.id, step);
      }),
    );
    const tokens = String(200n * BigInt(MAX_TOKENS));
    expect(await totalsOf(run.id)).toEqual({ in: tokens, out: '0', cost: '0.0000246' });
  });

  it('Steps, failures, tool calls and messages are counted as they stand', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    const totals = async () => (await api.admin.get(`/v1/runs/${run.id}`)).body.totals;
    const { id } = await aStep(api.admin, run.id);
    await aStep(api.admin, run.id, { status: 'failed' });
    await aToolCall(api.admin, run.id, { error: 'no' });
    const call = await aToolCall(api.admin, run.id);
    await api.admin.post(`/v1/runs/${run.id}/messages`, { role: 'user' });
    const counts = { steps: 2, failed_steps: 1, tool_calls: 2, failed_tool_calls: 1, messages: 1 };
    expect(await totals()).toMatchObject(counts);
    await api.admin.patch(`/v1/runs/${run.id}/steps/${id}`, { status: 'failed' });
    await api.admin.patch(`/v1/runs/${run.id}/tool-calls/${call.id}`, { error: 'no' });
    expect(await totals()).toMatchObject({ ...counts, failed_steps: 2, failed_tool_calls: 2 });
  });
});
