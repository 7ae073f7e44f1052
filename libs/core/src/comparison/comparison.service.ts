import { Database, type Actor, type Slice } from '@agentflow/database';
import { notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import type { AlignedStep, ComparedCall, RunComparison } from './comparison-row.js';
import { alignSteps, runChanges, stepChanges } from './differences.js';
import {
  findComparedCalls,
  findComparedRun,
  findComparedSteps,
  listStepLabels,
  MOST_STEPS,
} from './sql/find-compared.js';

type Aligned = Omit<AlignedStep, 'changes'>;

/** What differs between two runs. */
@Injectable()
export class ComparisonService {
  constructor(private readonly database: Database) {}

  /**
   * The difference of the runs, and a slice of their steps: aligned by node and kind in their order, each once. Both are
   * read as they are at one moment. Of each run the first 30,000 steps are compared.
   */
  async compare(
    actor: Actor,
    a: string,
    b: string,
    slice: Slice,
  ): Promise<{ comparison: RunComparison; rows: AlignedStep[] }> {
    return this.database.snapshot(actor, async (reader) => {
      const [runA, runB, labelsA, labelsB] = await this.database.read(reader, (tx) => [
        findComparedRun(tx, a),
        findComparedRun(tx, b),
        listStepLabels(tx, a),
        listStepLabels(tx, b),
      ]);
      if (!runA || !runB) throw notFound();
      const { steps, isLongest } = alignSteps(labelsA, labelsB);
      const paired = labelsA.length + labelsB.length - steps.length;
      const leftOut = Math.max(0, runA.steps - MOST_STEPS) + Math.max(0, runB.steps - MOST_STEPS);
      const start = slice.after === undefined ? 0 : Number(slice.after[0]) + 1;
      const page = steps.slice(start, start + slice.limit);
      return {
        comparison: {
          a,
          b,
          run: runChanges(runA, runB),
          steps: {
            paired,
            only_in_a: labelsA.length - paired,
            only_in_b: labelsB.length - paired,
            is_longest: isLongest,
            left_out: leftOut,
          },
        },
        rows: await this.withChanges(reader, a, b, page),
      };
    });
  }

  private async withChanges(
    actor: Actor,
    a: string,
    b: string,
    page: readonly Aligned[],
  ): Promise<AlignedStep[]> {
    const pairs = page.flatMap((step) => (step.a && step.b ? [[step.a.id, step.b.id] as const] : []));
    const [idsA, idsB] = [pairs.map(([id]) => id), pairs.map(([, id]) => id)];
    const [stepsA, stepsB, callsA, callsB] = await this.database.read(actor, (tx) => [
      findComparedSteps(tx, a, idsA),
      findComparedSteps(tx, b, idsB),
      findComparedCalls(tx, a, idsA),
      findComparedCalls(tx, b, idsB),
    ]);
    const [ofA, ofB] = [byId(stepsA), byId(stepsB)];
    const [calledA, calledB] = [byStep(callsA), byStep(callsB)];
    return page.map((step) => {
      const [left, right] = [ofA.get(step.a?.id ?? ''), ofB.get(step.b?.id ?? '')];
      if (!left || !right) return { ...step, changes: null };
      const changes = stepChanges(left, right, calledA.get(left.id) ?? [], calledB.get(right.id) ?? []);
      return { ...step, changes };
    });
  }
}

function byId<T extends { id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

function byStep(calls: readonly ComparedCall[]): Map<string, ComparedCall[]> {
  const ofSteps = new Map<string, ComparedCall[]>();
  for (const call of calls) ofSteps.set(call.step_id, [...(ofSteps.get(call.step_id) ?? []), call]);
  return ofSteps;
}
