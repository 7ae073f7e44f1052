import type { Limits, Outcome, RunReport } from '@agentflow/core';
import type { MappedRun } from '@agentflow/dialects';
import { DomainError, decodeUtf8, type JsonLimits } from '@agentflow/domain';
import { inflated } from '../http/inflate.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';

/** The records of a request run by run, in the order in which each run is first named. */
export function byRun<R>(records: readonly R[], runIdOf: (record: R) => string): Map<string, R[]> {
  const runs = new Map<string, R[]>();
  for (const record of records) {
    const id = runIdOf(record);
    const known = runs.get(id);
    if (known) known.push(record);
    else runs.set(id, [record]);
  }
  return runs;
}

/** The report of one run that these records are. */
export function reportOf(mapped: MappedRun, body: Uint8Array): RunReport {
  const { runId, projectName, items } = mapped;
  return { runId, projectName, items, body };
}

/** What was not taken over: the things that the rejected items are about, each once, and why the first was not. */
export function rejectedIn(outcomes: readonly Outcome[]): { id: string; detail: string }[] {
  const rejections = new Map<string, string>();
  for (const { item, verdict } of outcomes) {
    if (verdict.verdict !== 'rejected') continue;
    const id = item.id ?? item.run_id;
    const where = verdict.pointer === undefined ? '' : `${verdict.pointer}: `;
    if (!rejections.has(id))
      rejections.set(id, `${verdict.code}, ${where}${verdict.detail ?? 'it was refused'}`);
  }
  return [...rejections].map(([id, detail]) => ({ id, detail }));
}

export const jsonLimitsOf = ({ payloadBytes, payloadDepth, batchItems }: Limits): JsonLimits => ({
  depth: payloadDepth,
  payloadBytes,
  items: batchItems,
});

/** The body, inflated. No body at all is an empty one. */
export async function bytesIn(body: ReceivedBody | undefined, { batchBytes }: Limits): Promise<Buffer> {
  return body ? inflated(body, batchBytes) : Buffer.alloc(0);
}

/** The body as text. */
export async function textIn(body: ReceivedBody | undefined, limits: Limits): Promise<string> {
  const text = decodeUtf8(await bytesIn(body, limits));
  if (text === undefined) throw malformed('The body is not UTF-8.');
  return text;
}

export function malformed(detail: string): DomainError {
  return new DomainError('malformed_json', { faults: [{ pointer: '', detail }] });
}
