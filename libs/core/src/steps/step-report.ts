import type { StepStatus } from '@agentflow/contracts';
import { RawJson, isStepTerminal } from '@agentflow/domain';
import type { PriceOverrides } from '../pricing/price-overrides.js';
import { priceStep } from '../pricing/price-step.js';
import { refuseFlags } from '../reporting/flags.js';
import type { RunHead } from '../reporting/run-head.js';
import { endOf, timed } from '../reporting/timing.js';
import type { StepDraft } from './sql/insert-steps.js';

/** A step as it is reported; what is left out is unknown. */
export interface NewStep {
  id?: string;
  node: string;
  kind?: string;
  status?: StepStatus;
  parent_step_id?: string;
  input?: RawJson;
  output?: RawJson;
  error?: string;
  error_type?: string;
  latency_ms?: number;
  tokens_in?: number;
  tokens_out?: number;
  token_details?: RawJson;
  cost_usd?: string;
  model?: string;
  provider?: string;
  agent_role?: string;
  tier?: string;
  metadata?: RawJson;
  started_at?: string;
  ended_at?: string;
  external_id?: string;
}

/** What an update may say of a step. */
export type StepChange = Pick<
  NewStep,
  | 'status'
  | 'output'
  | 'error'
  | 'error_type'
  | 'latency_ms'
  | 'tokens_in'
  | 'tokens_out'
  | 'token_details'
  | 'cost_usd'
  | 'model'
  | 'provider'
  | 'metadata'
  | 'ended_at'
>;

/** What the price of a step depends on, beside its date. */
const PRICED_BY = ['model', 'provider', 'tokens_in', 'tokens_out', 'token_details'] as const;

/** Whether a report says anything that a price depends on. */
export function isPricedBy(said: StepChange): boolean {
  return PRICED_BY.some((name) => said[name] !== undefined);
}

const NOTHING = RawJson.trusted('{}');

/** When a step that was not dated began: when it got under way. */
export function startOf(status: StepStatus, known: string | null, now: string): string | null {
  return known ?? (status === 'running' || status === 'retrying' ? now : null);
}

/** The row that a report becomes, at this place in the run; what it cost, if that is not said, by these prices. */
export function stepDraft(
  { id: run_id, next_step_index: index, now }: Pick<RunHead, 'id' | 'next_step_index' | 'now'>,
  id: string,
  step: NewStep,
  overrides: PriceOverrides,
): StepDraft {
  const status = step.status ?? 'running';
  refuseFlags(step.metadata);
  const started_at = startOf(status, step.started_at ?? null, now);
  const usage = {
    tokens_in: step.tokens_in ?? null,
    tokens_out: step.tokens_out ?? null,
    token_details: step.token_details ?? null,
    model: step.model ?? null,
    provider: step.provider ?? null,
  };
  return {
    run_id,
    id,
    index,
    node: step.node,
    kind: step.kind ?? null,
    status,
    parent_step_id: step.parent_step_id ?? null,
    input: step.input ?? null,
    output: step.output ?? null,
    error: step.error ?? null,
    error_type: step.error_type ?? null,
    ...usage,
    ...priceStep({ ...usage, started_at: started_at ?? now, cost_usd: step.cost_usd ?? null }, overrides),
    agent_role: step.agent_role ?? null,
    tier: step.tier ?? null,
    retry_count: 0,
    external_id: step.external_id ?? null,
    ...timed({
      started_at,
      ended_at: endOf(isStepTerminal(status), step.ended_at, now),
      latency_ms: step.latency_ms ?? null,
      metadata: step.metadata ?? NOTHING,
    }),
  };
}
