import { executionEventsOf, isTold, type ExecutionEvent, type StepStatus } from '@agentflow/contracts';
import { Database, type Actor } from '@agentflow/database';
import { RawJson } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import type { RunEventRow } from './run-log-row.js';
import { RunLog } from './run-log.service.js';
import { findRunSubject, findToldSteps, type ToldStep } from './sql/find-subjects.js';

/** Some of a run's log in the execution format, and how far the log is told with it. */
export interface ExecutionTale {
  readonly seq: number;
  readonly events: readonly ExecutionEvent<RawJson | null>[];
}

/**
 * The log of a run in the execution format. The log says what happened when; what the format tells besides (payloads,
 * model, tokens) is read from the run and its steps, as they are when it is told.
 */
@Injectable()
export class ExecutionLog {
  constructor(
    private readonly database: Database,
    private readonly runLog: RunLog,
  ) {}

  /** As `RunLog.follow`; what the format has no word for only moves the number. */
  async *follow(
    actor: Actor,
    runId: string,
    after: number,
    stopping: AbortSignal,
  ): AsyncGenerator<ExecutionTale, void, void> {
    for await (const rows of this.runLog.follow(actor, runId, after, stopping)) {
      for (let left = rows; left.length > 0;) {
        const tale = await this.tell(actor, runId, left);
        if (!tale || stopping.aborted) return;
        yield tale;
        left = left.filter(({ seq }) => seq > tale.seq);
      }
    }
  }

  /** Tells the first of some events, as many as fit into memory together; nothing when the run is out of sight. */
  private async tell(
    actor: Actor,
    runId: string,
    rows: readonly RunEventRow[],
  ): Promise<ExecutionTale | undefined> {
    const seq = rows.at(-1)?.seq ?? 0;
    if (!rows.some(({ type }) => isTold(type))) return { seq, events: [] };
    const asked = rows.filter(isOfStep);
    const wanted = asked.map(({ entity_id, type }) => ({
      id: entity_id ?? '',
      hasEnded: type !== 'step.started',
    }));
    const [run, found] = await this.database.read(actor, (tx) => [
      findRunSubject(tx, runId),
      findToldSteps(tx, runId, wanted),
    ]);
    if (!run) return undefined;
    const steps = new Map(found.map((step) => [asked[step.place - 1]?.seq, step]));
    // What comes behind the last step that was read may be about one that was not.
    const last = found.at(-1)?.place ?? asked.length;
    const unread = asked[last]?.seq;
    const told = unread === undefined ? rows : rows.filter((row) => row.seq < unread);
    const events = told.flatMap(({ seq, type, at, data }) => {
      const step = steps.get(seq);
      return executionEventsOf({ run_id: runId, seq, type, at, run, step: step && subjectOf(step, data) });
    });
    return { seq: told.at(-1)?.seq ?? seq, events };
  }
}

function isOfStep({ type }: RunEventRow): boolean {
  return type.startsWith('step.') && isTold(type);
}

function subjectOf({ place: _, ...step }: ToldStep, data: RawJson | null) {
  const { node, status } = data?.parse() as { node: string; status: StepStatus };
  const outputs = step.output !== null && isObject(step.output) ? step.output : RawJson.trusted('{}');
  return { ...step, node, status, outputs };
}

function isObject({ text }: RawJson): boolean {
  return /^\s*\{/.test(text);
}
