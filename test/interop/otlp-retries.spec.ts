import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { ANSWERED, runProgram } from './client-program.js';
import { aFaultyProxy, type Fault } from './faulty-proxy.js';
import { describeInPython, installJsClients, installPythonClients } from './installed.js';
import { otlpVariables } from './otlp-variables.js';
import { aReportingProject } from './reporting-project.js';
import type { RunInShort } from './run-in-short.js';

await installJsClients();

describe('The OTLP exporter for JavaScript', () =>
  retries(process.execPath, 'js/ai-sdk-6.mjs', {
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  }));

describeInPython(await installPythonClients(), 'The OTLP exporter for Python', (interpreter) =>
  retries(interpreter, 'python/pydantic_ai_agent.py'),
);

/** Of an agent of five spans, each in a request of its own. */
function retries(command: string, program: string, more: Record<string, string> = {}): void {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  async function report(faults: Fault[]): Promise<{ answered: number[]; runs: RunInShort[] }> {
    const project = await aReportingProject(api);
    const proxy = await aFaultyProxy(api.url, faults);
    try {
      const ended = await runProgram(command, program, {
        ...otlpVariables(proxy.url, project.key),
        ...more,
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
      });
      expect(ended).toMatchObject(ANSWERED);
      // Requests of one agent overtake each other, and steps are numbered as they come.
      const inOrder = (run: RunInShort): RunInShort => ({ ...run, steps: [...run.steps].sort() });
      return { answered: [...proxy.answered].sort(), runs: (await project.runs()).map(inOrder) };
    } finally {
      await proxy.close();
    }
  }

  let whole: Promise<{ runs: RunInShort[] }> | undefined;
  const undisturbed = async (): Promise<RunInShort[]> => (await (whole ??= report([]))).runs;

  it('[O4] loses nothing when a request is refused with 503', async () => {
    const { answered, runs } = await report([{ status: 503, isTaken: false }]);
    expect(answered).toEqual([200, 200, 200, 200, 200, 503]);
    expect(runs).toEqual(await undisturbed());
  });

  it('[O4] doubles nothing when it is told 503 of a request that was taken', async () => {
    const { answered, runs } = await report([
      { status: 503, isTaken: true },
      { status: 503, isTaken: true },
    ]);
    expect(answered).toEqual([200, 200, 200, 200, 200, 503, 503]);
    expect(runs).toEqual(await undisturbed());
  });

  it('[O4] does not send again what is refused with 400', async () => {
    const { answered } = await report([{ status: 400, isTaken: false }]);
    expect(answered).toEqual([200, 200, 200, 200, 400]);
  });
}
