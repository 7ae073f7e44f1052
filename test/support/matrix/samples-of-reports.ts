import { randomBytes, randomUUID } from 'node:crypto';
import type { Place } from './places.js';
import type { Sample, Samples } from './sample.js';

const report = (status: Sample['status'], body: Sample['body'], headers?: Sample['headers']): Sample => ({
  needs: 'runs:report',
  status,
  ...(body === undefined ? {} : { body }),
  ...(headers === undefined ? {} : { headers }),
});

const text = (value: string): object => ({ stringValue: value });

/** One trace of one span, which registers an agent of its own where the key may do that. */
const aTrace = (): object => {
  const attributes = [
    { key: 'gen_ai.operation.name', value: text('invoke_agent') },
    { key: 'gen_ai.agent.name', value: text(`matrix ${randomUUID()}`) },
  ];
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const times = { startTimeUnixNano: '1770105600000000000', endTimeUnixNano: '1770105601000000000' };
  const span = { traceId, spanId, name: 'invoke_agent', ...times, attributes };
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: {}, spans: [span] }] }] };
};

const otlp: Sample = { ...report(200, aTrace), refusesOtherwise: true };
const ignored: Sample = { ...report(200, () => ({})), refusesOtherwise: true };

const langsmithRun = (id: string): object => ({
  id,
  trace_id: id,
  name: `matrix ${randomUUID()}`,
  run_type: 'chain',
  start_time: '2026-02-03T08:00:00.000000Z',
});

/** Doors for batches, and for what other reporters send. */
export const REPORT_SAMPLES: Samples = {
  'POST /v1/ingest': report(200, ({ agentId }: Place) => [
    { type: 'run.started', run_id: randomUUID(), at: '2026-02-03T08:00:00Z', agent_id: agentId },
  ]),
  'POST /v1/traces': otlp,
  'POST /otel': otlp,
  'POST /otel/v1/traces': otlp,
  'POST /langfuse/api/public/otel/v1/traces': otlp,
  'POST /v1/logs': ignored,
  'POST /otel/v1/logs': ignored,
  'POST /v1/metrics': ignored,
  'POST /otel/v1/metrics': ignored,
  'POST /langsmith/runs': report(202, () => langsmithRun(randomUUID())),
  'POST /langsmith/runs/batch': report(202, () => ({ post: [langsmithRun(randomUUID())] })),
  'POST /langsmith/runs/multipart': report(202, () => '--matrix--\r\n', {
    'content-type': 'multipart/form-data; boundary=matrix',
  }),
  'PATCH /langsmith/runs/:their_id': report(202, () => {
    const id = randomUUID();
    return { ...langsmithRun(id), id };
  }),
  'GET /langfuse/api/public/projects': { needs: 'identity:read', status: 200 },
  'POST /langfuse/api/public/ingestion': report(207, () => ({ batch: [] })),
  'POST /openai/v1/traces/ingest': report(200, () => ({ data: [] })),
};
