import { randomBytes } from 'node:crypto';
import { protobufOf } from '../support/otlp-protobuf.js';
import { ratioInTurns } from './figures.js';
import { HttpClient } from './http-client.js';
import { BATCH, INPUT, OUTPUT, rawSteps } from './raw-steps.js';
import { vacuum, type Server } from './server.js';

const ROUNDS = 5;
const SECONDS = 5;
const WARM_UPS = 3;
const CLIENTS = 8;
/** One agent, its calls of a model, and a tool after every second of them. */
const TRACE = 20;

/**
 * Spans of 2 KB in protobuf, 200 a request, in whole traces of twenty: mapped, with messages, tool calls, events, costs and
 * totals, and the spans themselves kept. Against raw `unnest` inserts of as many steps of that size.
 */
export async function ingestOtlp(server: Server): Promise<number> {
  const ours = (): Promise<number> => requests(server);
  for (let i = 0; i < WARM_UPS; i++) await ours();
  const raw = await rawSteps(server);
  try {
    return await ratioInTurns(ROUNDS, ours, raw.measure, 'spans/s', () => vacuum(server));
  } finally {
    await raw.close();
  }
}

export async function requests({ url, key }: Server): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-protobuf' };
  const template = protobufOf(aRequest());
  const places = placesOfIds(template);
  let spans = 0;
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => HttpClient.open(url, headers)));
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < began + SECONDS * 1_000) {
        const told = await client.post('/v1/traces', withNewIds(template, places));
        if (told !== '') throw new Error(told.slice(0, 500));
        spans += BATCH;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  for (const client of clients) client.close();
  return spans / seconds;
}

export const aRequest = (): object => ({
  resourceSpans: Array.from({ length: BATCH / TRACE }, (_, i) => aTrace(i)),
});

const START = 1_770_105_600_000_000_000n;
const MILLISECOND = 1_000_000n;

const idOf = (mark: number, trace: number, span: number): string =>
  Buffer.from([mark, 0xfe, 0xed, trace, span, 0xfa, 0xce, 1]).toString('hex');

function aTrace(trace: number): object {
  const traceId = idOf(0xa1, trace, 0) + idOf(0xa2, trace, 0);
  const root = idOf(0xb1, trace, 0);
  const spans = Array.from({ length: TRACE }, (_, i) => {
    const start = START + BigInt(i) * MILLISECOND;
    const times = { startTimeUnixNano: `${start}`, endTimeUnixNano: `${start + MILLISECOND}` };
    if (i === 0)
      return { traceId, spanId: root, name: 'invoke_agent bench', ...times, attributes: pairs(agent) };
    const isTool = i % 3 === 0;
    const own = { traceId, spanId: idOf(0xb1, trace, i), parentSpanId: root, ...times };
    return isTool
      ? { ...own, name: 'execute_tool search', attributes: pairs(tool(i)) }
      : { ...own, name: 'chat gpt-4o', attributes: pairs(chat(i)) };
  });
  const resource = { attributes: pairs({ 'service.name': 'bench' }) };
  return { resource, scopeSpans: [{ scope: { name: 'bench' }, spans }] };
}

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'bench' };
const message = (role: string, content: string): object => ({ role, parts: [{ type: 'text', content }] });
const [said, answered] = [INPUT.messages[0]?.content as string, OUTPUT.text];
const chat = (i: number): Record<string, string | number> => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.response.model': 'gpt-4o',
  'gen_ai.usage.input_tokens': 100,
  'gen_ai.usage.output_tokens': 50,
  'gen_ai.input.messages': JSON.stringify([message('user', `${i} ${said}`)]),
  'gen_ai.output.messages': JSON.stringify([message('assistant', `${i} ${answered}`)]),
});
const tool = (i: number): Record<string, string> => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'search',
  'gen_ai.tool.call.id': `call_${i}`,
  'gen_ai.tool.call.arguments': JSON.stringify({ q: said }),
  'gen_ai.tool.call.result': JSON.stringify({ found: answered }),
});

function pairs(attributes: Record<string, string | number>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
  }));
}

/** Where ids stand in the template, which are known by the bytes in the middle of them. */
function placesOfIds(template: Buffer): number[] {
  const places: number[] = [];
  for (let at = template.indexOf('feed', 0, 'hex'); at >= 0; at = template.indexOf('feed', at + 1, 'hex')) {
    places.push(at);
  }
  return places;
}

/** The same bytes with ids of their own: the two bytes that mark an id become random ones, the same all over. */
function withNewIds(template: Buffer, places: readonly number[]): Buffer {
  const body = Buffer.from(template);
  const fresh = randomBytes(2);
  const more = randomBytes(2);
  for (const at of places) {
    fresh.copy(body, at);
    more.copy(body, at + 4);
  }
  return body;
}
