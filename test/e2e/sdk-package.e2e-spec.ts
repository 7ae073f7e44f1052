import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { anApi, type TestApi } from '../support/api.js';
import { aKey, anAgent } from '../support/things.js';

const run = promisify(execFile);
const SDK = resolve('libs/sdk');

const REPORT = `
  const run = await new AgentFlow().runs.start({ agent_id: process.argv[2], input: import_kind });
  const step = await run.step({ node: 'only' });
  await step.succeed({ output: 1 });
  await run.succeed();
  console.log(run.id);
`;

/** Each faulty line has to be refused, and each line without a mark has to compile. */
const TYPES = `
import { AgentFlow, ApiError, rawJson, type Run, type RunStatus } from '@agentflow/sdk';

const client = new AgentFlow({ apiKey: 'k', timeoutMs: 1_000, fetch, parse: JSON.parse });
export async function right(run: Run): Promise<RunStatus> {
  await client.runs.start({ agent: { name: 'a', adapter: 'custom' }, input: rawJson('1'), tags: ['x'] });
  const step = await run.step({ node: 'a', parent_step_id: run.id, cost_usd: 0.1 });
  await step.complete({ status: 'skipped', tokens_in: 1 });
  await run.fail(new Error('no'));
  for await (const { status, totals } of client.runs.list({ status: ['failed'] })) console.log(status, totals.cost_usd.length);
  const { data, text } = await run.message({ role: 'user', content: null }).withResponse();
  const name: string | null = data.name;
  console.log(text, name);
  const thrown: unknown = new Error();
  if (thrown instanceof ApiError && thrown.code === 'run.final') console.log(thrown.errors[0]?.pointer);
  const detail = await client.runs.get(run.id, { include: ['steps'] });
  detail.steps?.data.forEach(({ output }) => void (output satisfies unknown));
  return detail.status;
}

export async function wrong(run: Run): Promise<void> {
  // @ts-expect-error an agent is needed
  await client.runs.start({ input: 1 });
  // @ts-expect-error one way to name the agent, not both
  await client.runs.start({ agent_id: 'i', agent: { name: 'a', adapter: 'custom' } });
  // @ts-expect-error there is no such member
  await client.runs.start({ agent_id: 'i', inputs: 1 });
  // @ts-expect-error a step needs its node
  await run.step({ kind: 'llm' });
  // @ts-expect-error not a status of a step
  await run.step({ node: 'a', status: 'waiting_human' });
  // @ts-expect-error a count is a number
  await run.step({ node: 'a', tokens_in: '1' });
  const step = await run.step({ node: 'a' });
  // @ts-expect-error running is no way to end
  await step.complete({ status: 'running' });
  // @ts-expect-error succeed says the status itself
  await step.succeed({ status: 'failed' });
  // @ts-expect-error nobody speaks so
  await run.message({ role: 'robot' });
  // @ts-expect-error a checkpoint has a state
  await run.checkpoint({ label: 'a' });
  // @ts-expect-error not a status of a run
  client.runs.list({ status: 'done' });
  // @ts-expect-error a payload is unknown until it is looked at
  (await run.get()).output.length;
  // @ts-expect-error no such children
  await run.get({ include: ['events'] });
  // @ts-expect-error the time of a call is in milliseconds
  await client.me({ timeout: 1 });
}
`;

describe('the package @agentflow/sdk', () => {
  let api: TestApi;
  let home: string;
  beforeAll(async () => {
    api = await anApi();
    home = mkdtempSync(join(tmpdir(), 'agentflow-sdk-'));
    await install(home);
  }, 120_000);
  afterAll(async () => {
    rmSync(home, { recursive: true, force: true });
    await api.close();
  });

  it('The packed package installs without a network, by itself, and reports a run by import and by require', async () => {
    const agent = await anAgent(api.admin);
    const { key } = await aKey(api.admin, { scope: 'agent', agent_id: agent.id, role: 'reporter' });
    const env = { PATH: process.env.PATH, AGENTFLOW_API_KEY: key, AGENTFLOW_BASE_URL: api.url };
    const report = REPORT.replace('import_kind', 'kind');
    const files = {
      'esm.mjs': `import { AgentFlow } from '@agentflow/sdk';\nconst kind = 'import';\n${report}`,
      'cjs.cjs': `const { AgentFlow } = require('@agentflow/sdk');\nconst kind = 'require';\n(async () => {${report}})();`,
    };
    const inputs: unknown[] = [];
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(home, name), text);
      const { stdout } = await run(process.execPath, [name, agent.id], { cwd: home, env });
      const { body } = await api.admin.get(`/v1/runs/${stdout.trim()}`);
      expect([body.status, body.totals.steps]).toEqual(['succeeded', 1]);
      inputs.push(body.input);
    }
    expect(inputs).toEqual(['import', 'require']);
  });

  it('The package depends on nothing: no other package, nothing of Node, nothing of this repository', () => {
    const folder = join(home, 'node_modules/@agentflow/sdk');
    const { dependencies, peerDependencies, license, sideEffects } = manifest(folder);
    expect([dependencies, peerDependencies, license, sideEffects]).toEqual([
      undefined,
      undefined,
      'Apache-2.0',
      false,
    ]);
    expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    expect(readdirSync(join(home, 'node_modules/@agentflow'))).toEqual(['sdk']);
    const sources = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(js|d\.ts)$/.test(file))
      .map((file) => readFileSync(join(folder, 'dist', file), 'utf8'));
    const imported = sources.flatMap((text) => [
      // A member of that name in an example is none.
      ...text.matchAll(/(?:(?<!")\bfrom|require\(|import\()\s*['"]([^'"]+)['"]/g),
    ]);
    const foreign = imported.map(([, name]) => name as string).filter((name) => !name.startsWith('.'));
    expect([imported.length > 40, foreign]).toEqual([true, []]);
  });

  it('Wrong members do not compile and right ones do, for those who import and those who require', async () => {
    // Strict about the package's own declarations too, and without the types of Node.
    const options = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      types: [],
    };
    const compilerOptions = { ...options, target: 'es2022', lib: ['es2022', 'dom'] };
    const files = ['types.mts', 'types.cts'];
    for (const file of files) writeFileSync(join(home, file), TYPES);
    writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const compiled = run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', home]);
    const { stdout } = await compiled.catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  }, 60_000);
});

/** Builds, packs and installs the package as its users get it, away from this repository. */
async function install(home: string): Promise<void> {
  const source = join(home, 'source');
  mkdirSync(source);
  await run(process.execPath, [join(SDK, 'build.mjs'), join(source, 'dist')]);
  for (const file of ['package.json', 'README.md', 'LICENSE']) cpSync(join(SDK, file), join(source, file));
  const npm = { cwd: home, env: { ...process.env, npm_config_cache: join(home, 'cache') } };
  await run('npm', ['pack', './source', '--offline', '--silent'], npm);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const { version } = manifest(source) as { version: string };
  await run(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', `./agentflow-sdk-${version}.tgz`],
    npm,
  );
}

function manifest(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
}
