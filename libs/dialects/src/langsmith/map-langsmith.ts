import type { MappedRun } from '../reported-items.js';
import { type LangsmithRecord, runIdOfLangsmith } from './record.js';
import { runItems } from './run-items.js';
import { itemsBelow } from './step-items.js';
import { traceOf } from './trace-state.js';

/**
 * The items of one trace, from all of its records that are known. With more records items are added or say more; none
 * ever vanishes, and no id depends on what else is known. Before the root is known each item says whose run it is, by the
 * best guess. Throws a TypeError without records.
 */
export function mapLangsmith(records: readonly LangsmithRecord[]): MappedRun {
  const [first] = records;
  if (first === undefined) throw new TypeError('no records make no run');
  const trace = traceOf(runIdOfLangsmith(first), records);
  const own = runItems(trace);
  const ends = own.filter(({ type }) => type === 'run.finished');
  const items = [
    ...own.filter(({ type }) => type !== 'run.finished'),
    ...trace.runs.flatMap((run) => itemsBelow(run, trace)),
    ...ends,
  ];
  for (const run of trace.runs) {
    if (run.startedAt === undefined)
      trace.refused.push({ id: run.id, detail: 'nothing says when the run began' });
  }
  return {
    runId: trace.runId,
    ...(trace.project === undefined ? {} : { projectName: trace.project }),
    items,
    refused: trace.refused,
  };
}
