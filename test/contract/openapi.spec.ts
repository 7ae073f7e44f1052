import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { PROBLEMS, type ProblemCode } from '@agentflow/contracts';
import { readFileSync } from 'node:fs';
import { RouteCatalogue } from '../../apps/api/src/access/route-catalogue.js';
import { anApi, type TestApi } from '../support/api.js';
import { OF_OTHERS } from '../support/matrix/samples.js';

interface Described {
  description?: string;
}
interface Schema extends Described {
  type?: unknown;
  example?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
}
interface Response extends Described {
  content?: Record<
    string,
    {
      schema: Schema & { allOf?: { properties?: { code?: { enum: ProblemCode[] } } }[] };
      examples?: Record<string, { $ref: string }>;
    }
  >;
}
interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: unknown;
  parameters?: (Described & { name: string; in: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, Response>;
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { value: { code: string; status: number } }>;
  };
}

/** Rules of the specification, and of good use of it, that a program can judge. */
const RULES = [
  ...[
    'struct',
    'no-unresolved-refs',
    'no-identical-paths',
    'path-declaration-must-exist',
    'no-path-trailing-slash',
  ],
  ...['path-parameters-defined', 'operation-parameters-unique', 'parameter-description', 'operation-summary'],
  ...[
    'operation-operationId',
    'operation-operationId-unique',
    'operation-2xx-response',
    'operation-4xx-response',
  ],
  ...['security-defined', 'no-enum-type-mismatch', 'no-schema-type-mismatch', 'no-unused-components'],
  ...['no-invalid-media-type-examples', 'no-invalid-parameter-examples', 'no-invalid-schema-examples'],
];

describe('the OpenAPI document', () => {
  let api: TestApi;
  let document: Document;
  let source: string;
  let operations: { place: string; path: string; method: string; operation: Operation }[];
  beforeAll(async () => {
    api = await anApi();
    source = await (await fetch(`${api.url}/openapi.json`)).text();
    document = JSON.parse(source) as Document;
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        place: `${method.toUpperCase()} ${path}`,
        ...{ path, method: method.toUpperCase(), operation },
      })),
    );
  });
  afterAll(() => api.close());

  it('[V15] The document is valid OpenAPI 3.1, by the specification and by good use', async () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    const config = await createConfig({ rules: Object.fromEntries(RULES.map((rule) => [rule, 'error'])) });
    const problems = await lintFromString({ source, config });
    const found = problems.map(
      ({ ruleId, location: [at], message }) => `${ruleId} ${at?.pointer}: ${message}`,
    );
    // What a WebSocket answers with is 101, which the rule does not know.
    const opensWebSocket = /^operation-2xx-response #\/paths\/~1ws~1/;
    expect(found.filter((problem) => !opensWebSocket.test(problem))).toEqual([]);
  });

  it('[V15] docs/openapi.json is the document that is served; `npm run openapi` writes it', () => {
    const file = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(file)).toEqual(document);
  });

  it('[V15] Every door that is not for anybody is in the document, and no other', () => {
    const doors = api.app
      .get(RouteCatalogue)
      .routes.filter(({ access, path }) => access.kind !== 'public' && !OF_OTHERS.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(({ place }) => place).sort()).toEqual(doors.sort());
  });

  it('Every operation has a sentence, a name for clients, a tag, its keys, and describes what it answers', () => {
    for (const { place, operation } of operations) {
      expect([place, operation.summary]).toEqual([place, expect.stringMatching(/^[A-Z].*\.$/s)]);
      expect([place, operation.operationId]).toEqual([
        place,
        expect.stringMatching(/^[a-z][A-Za-z]*_[a-z][A-Za-z]*$/),
      ]);
      expect([place, operation.tags]).toEqual([place, [expect.any(String)]]);
      expect([place, operation.security]).toEqual([place, [{ bearer: [] }, { key: [] }]]);
      for (const [status, { description }] of Object.entries(operation.responses)) {
        expect([place, status, description]).toEqual([place, status, expect.stringMatching(/\.$/)]);
      }
    }
  });

  it('Every parameter and every field, of requests and of answers, is described by a sentence', () => {
    const described: [string, string | undefined][] = operations.flatMap(({ place, operation }) =>
      (operation.parameters ?? []).map(({ name, description }): [string, string | undefined] => [
        `${place} ${name}`,
        description,
      ]),
    );
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      for (const [field, { description }] of Object.entries(properties))
        described.push([`${name}.${field}`, description]);
    }
    expect(described.filter(([, description]) => !/[.`]$/.test(description ?? ''))).toEqual([]);
  });

  it('Every body, and every member of an answer, has an example', () => {
    const missing: string[] = [];
    const bodies = new Set<string>();
    for (const { place, operation } of operations) {
      for (const [type, { schema, example }] of Object.entries(operation.requestBody?.content ?? {})) {
        const name = schema.$ref?.split('/').at(-1) ?? '';
        bodies.add(name);
        if ((example ?? document.components.schemas[name]?.example) === undefined) {
          missing.push(`${place} ${type}`);
        }
      }
    }
    for (const [name, { properties = {}, example }] of Object.entries(document.components.schemas)) {
      if (example !== undefined || bodies.has(name) || name === 'Problem') continue;
      for (const [member, property] of Object.entries(properties)) {
        const { items, allOf = [], anyOf = [] } = property;
        const isOther = [property, items, ...allOf, ...anyOf].some((one) => one?.$ref !== undefined);
        if (!isOther && property.example === undefined) missing.push(`${name}.${member}`);
      }
    }
    expect(missing).toEqual([]);
    expect(bodies.size).toBeGreaterThan(20);
  });

  it('Every refusal that is documented shows the problem that it is', () => {
    for (const { place, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const { schema, examples = {} } = response.content?.['application/problem+json'] ?? {};
        const shown = Object.values(examples).map(
          ({ $ref }) => document.components.examples[$ref.split('/').at(-1) as string]?.value,
        );
        expect([place, shown.map((one) => one?.code)]).toEqual([
          place,
          schema?.allOf?.[1]?.properties?.code?.enum,
        ]);
        expect(shown.map((one) => String(one?.status))).toEqual(shown.map(() => status));
      }
    }
  });

  it('Every refusal that is documented is one of the catalogue, under its own status', () => {
    for (const { place, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Number(status) < 400) continue;
        const codes =
          response.content?.['application/problem+json']?.schema.allOf?.[1]?.properties?.code?.enum;
        expect([place, status, codes?.length]).not.toEqual([place, status, 0]);
        for (const code of codes ?? [])
          expect([place, code, String(PROBLEMS[code].status)]).toEqual([place, code, status]);
      }
    }
  });

  it('Every status that is documented can come: each follows from what its operation takes and does', () => {
    for (const { place, path, method, operation } of operations) {
      const hasBody = operation.requestBody !== undefined;
      const names = (operation.parameters ?? []).map(({ name }) => name);
      const takesAnId = hasBody && 'id' in fieldsOf(operation);
      const refersToThings =
        path.includes('{') || Object.keys(fieldsOf(operation)).some((name) => name.endsWith('_id'));
      const can: Record<string, boolean> = {
        200: method !== 'POST' || takesAnId || !('201' in operation.responses),
        201: method === 'POST',
        204: method === 'DELETE' || names.includes('Last-Event-ID') || /\/(claim|live)$/.test(path),
        404: refersToThings,
        409: method !== 'GET',
        410: path.startsWith('/v1/runs') && method !== 'GET',
        412: names.includes('If-Match'),
        413: method !== 'GET',
        415: method !== 'GET',
        422: names.includes('Idempotency-Key'),
      };
      const statuses = Object.keys(operation.responses);
      expect([place, statuses.filter((status) => can[status] === false)]).toEqual([place, []]);
      for (const always of ['400', '401', '403', '414', '500', '503'])
        expect([place, statuses]).toEqual([place, expect.arrayContaining([always])]);
    }
  });

  it('Every code of the catalogue is documented somewhere, but for what is refused before a door is known', () => {
    const known = new Set(JSON.stringify(document.paths).match(/(?<=")[a-z_]+(\.[a-z_]+)?(?=")/g));
    const missing = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => !known.has(code));
    expect(missing.sort()).toEqual(['headers_too_large', 'method_not_allowed', 'request_timeout']);
  });

  function fieldsOf({ requestBody }: Operation): Record<string, Schema> {
    const name = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
    return document.components.schemas[name]?.properties ?? {};
  }
});
