import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../test/support/typescript.mjs';

/**
 * Writes what follows from the api's doors and from what is promised: `docs/openapi.json`, the types of the TypeScript
 * client, and the JSON Schema of execution events. No server
 * and no database: the api is put together and asked, and nothing is opened.
 *
 *   npm run openapi              writes the files
 *   npm run openapi -- --check   writes nothing; fails when a file is not what it would write
 */
const { executionEventSchema } = await import('../libs/contracts/src/index.ts');
const document = await describe();
const files = new Map([
  ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
  ['libs/sdk/src/generated/api.ts', await typesOf(document)],
  ['docs/execution-events.schema.json', `${JSON.stringify(executionEventSchema(), null, 2)}\n`],
]);
const outdated = [...files].filter(([file, text]) => readOrEmpty(file) !== text);

if (process.argv.includes('--check')) {
  for (const [file] of outdated) console.error(`${file} is not what the api describes: run npm run openapi`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else {
  for (const [file, text] of outdated) {
    mkdirSync(dirname(pathOf(file)), { recursive: true });
    writeFileSync(pathOf(file), text);
  }
  console.error(
    outdated.length === 0 ? 'Up to date' : `Written: ${outdated.map(([file]) => file).join(', ')}`,
  );
}

async function describe() {
  const { Followers, readConfiguration } = await import('../libs/core/src/index.ts');
  const { Database } = await import('../libs/database/src/index.ts');
  const { createApi } = await import('../apps/api/src/create-api.ts');
  const { describeApi } = await import('../apps/api/src/docs/openapi.ts');
  const { DataSource } = await import('typeorm');
  const { pino } = await import('pino');
  const dataSource = new DataSource({ type: 'postgres' });
  const app = await createApi({
    news: { followers: new Followers() },
    configuration: readConfiguration({}),
    dataSource,
    database: new Database(dataSource, 'none'),
    log: pino({ level: 'silent' }),
  });
  try {
    // As it is served: JSON drops what is undefined.
    return JSON.parse(JSON.stringify(describeApi(app)));
  } finally {
    await app.close();
  }
}

async function typesOf(document) {
  const { default: generate, astToString } = await import('openapi-typescript');
  return `// Written by npm run openapi.\n\n${astToString(await generate(forClient(document)))}`;
}

/**
 * The document as far as the client's types need it: a refusal has one form whatever it answers, so the refusals of
 * each operation, which are most of the document, become the codes that a problem can have.
 */
function forClient(document) {
  const client = structuredClone(document);
  const codes = new Set();
  for (const operation of Object.values(client.paths).flatMap(Object.values)) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      if (Number(status) < 400) continue;
      for (const code of codesIn(response)) codes.add(code);
      delete operation.responses[status];
    }
  }
  client.components.schemas.Problem.properties.code.enum = [...codes].sort();
  return client;
}

function codesIn(response) {
  const schema = response.content?.['application/problem+json']?.schema;
  return (schema?.allOf ?? []).flatMap(({ properties }) => properties?.code?.enum ?? []);
}

function readOrEmpty(file) {
  try {
    return readFileSync(pathOf(file), 'utf8');
  } catch {
    return '';
  }
}

function pathOf(file) {
  return fileURLToPath(new URL(`../${file}`, import.meta.url));
}
