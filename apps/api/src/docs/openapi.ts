import { PROBLEMS, type ProblemCode } from '@agentflow/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ValueChange } from '../agents/dto/agent-version.response.js';
import { RouteCatalogue, type Route } from '../access/route-catalogue.js';
import { RETRY_AFTER_SECONDS } from '../http/problem.js';
import { readVersion } from '../installation.js';
import { addExamples, problemExamples } from './examples.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];

const DESCRIPTION = `The flight recorder and control tower of AI agents.

Send an API key as \`Authorization: Bearer …\` or as \`X-API-Key\`. What a key does not see does not exist for it: the
answer is the same 404. Lists answer \`{ "data": […], "next_cursor": … }\`; hand the cursor back to go on. Payloads come
back as they were sent, digit for digit. Every POST takes an \`Idempotency-Key\`. Errors are RFC 9457 problems with a
stable \`code\`.`;

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'An RFC 9457 problem.',
  required: ['type', 'title', 'status', 'code', 'instance'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'The page that explains the problem.' },
    title: { type: 'string', description: 'What is wrong, the same for every occurrence.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    code: {
      type: 'string',
      enum: Object.keys(PROBLEMS),
      description: 'The stable code of the problem; `type` leads to its page.',
    },
    detail: { type: 'string', description: 'A sentence about this occurrence.' },
    instance: { type: 'string', format: 'uri', description: 'The id of the request, as in the logs.' },
    errors: {
      type: 'array',
      description: 'The single faults of a request, 20 at most.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: {
            type: 'string',
            description: 'An RFC 6901 pointer into the body, or `?name` of a parameter.',
          },
          detail: { type: 'string', description: 'What is wrong with it.' },
        },
      },
    },
    current_state: { type: 'string', description: 'Where the thing stands that refused.' },
    allowed: { type: 'array', items: { type: 'string' }, description: 'Where it can go from there.' },
    current_version: { type: 'integer', description: 'The version that the agent has now.' },
    reason: { type: 'string', description: 'Why a key is not minted, or why it was decided so.' },
    decided_by: { type: 'string', format: 'uuid', description: 'The key that decided.' },
    decided_at: { type: 'string', format: 'date-time', description: 'When it was decided.' },
    arguments_hash: { type: 'string', description: 'The hash of what is to be decided about.' },
    open: {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      description: 'The approvals that have to be decided first.',
    },
  },
} as const;

/** What answers carry beside their body. */
const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request, as in the logs.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': { description: 'How to prove who you are.', schema: { type: 'string' } },
  'Idempotency-Replayed': {
    description: 'The answer is that of the request which had this `Idempotency-Key` first.',
    schema: { type: 'string', enum: ['true'] },
  },
  'AgentFlow-Lease-Expires-At': {
    description: 'When the lease that the request named ends now; absent when the run is not under way.',
    schema: { type: 'string', format: 'date-time' },
  },
  'AgentFlow-Cancel-Requested': {
    description:
      'To the holder of the lease that the request named: whether the run was called off, so that he should stop.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
};

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of 1 to 255 printable ASCII characters. The request is carried out once; a repeat within 24 hours gets ' +
    'the same answer with `Idempotency-Replayed: true`, secrets withheld.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The version that was seen, in quotes. The change is refused when the agent has another one.',
  schema: { type: 'string', example: '"3"' },
};

const LEASE: Parameter = {
  name: 'AgentFlow-Lease',
  in: 'header',
  required: false,
  description:
    'The token of the lease, from its holder: the request is refused unless the lease is his still, and prolongs it.',
  schema: { type: 'string', format: 'uuid' },
};

/** The OpenAPI 3.1 document of the running api, complete enough to generate a client from. */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle('AgentFlow')
    .setDescription(DESCRIPTION)
    .setVersion(readVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key.' }, 'bearer')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' }, 'key')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    extraModels: [ValueChange],
    operationIdFactory: (controller, method) => `${operationPrefix(controller)}_${method}`,
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Problem: PROBLEM_SCHEMA as never },
    headers: HEADERS,
  };
  const codes = app.get(RouteCatalogue).routes.flatMap((route) => complete(document, route));
  document.components.examples = problemExamples(codes);
  addExamples(document);
  return withAnyJson(document);
}

function operationPrefix(controller: string): string {
  const name = controller.replace(/Controller$/, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Adds what the decorators do not say, and tells which problems the operation can answer. */
function complete(document: OpenAPIObject, route: Route): ProblemCode[] {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]?.[route.method.toLowerCase() as 'get'];
  if (!operation || route.access.kind === 'public') return [];
  operation.security = [{ bearer: [] }, { key: [] }];
  operation.description = `Needs the permission \`${route.access.permission}\`.`;
  operation.parameters = (operation.parameters ?? []).map(asId);
  if (mayBeAbsent(document, operation)) (operation.requestBody as { required: boolean }).required = false;
  if (route.method === 'POST') operation.parameters.push(IDEMPOTENCY_KEY);
  if (route.problems.includes('version_mismatch')) operation.parameters.push(IF_MATCH);
  if (route.isUnderLease) operation.parameters.push(LEASE);
  for (const response of Object.values(operation.responses)) {
    (response as { headers?: object }).headers = headersNamed(
      'X-Request-Id',
      ...(route.method === 'POST' ? (['Idempotency-Replayed'] as const) : []),
      ...(route.isUnderLease ? (['AgentFlow-Lease-Expires-At', 'AgentFlow-Cancel-Requested'] as const) : []),
    );
  }
  const problems = problemsOf(route, operation);
  for (const [status, codes] of byStatus(problems)) {
    operation.responses[status] = problemResponse(codes, route);
  }
  return [...problems];
}

function headersNamed(...names: (keyof typeof HEADERS)[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Ids in a path are texts to TypeScript; here they are what they are. */
function asId(parameter: Parameter): Parameter {
  if (!('in' in parameter) || parameter.in !== 'path') return parameter;
  const noun = /^(?:(\w+)_)?id$/.exec(parameter.name)?.[1];
  return noun === undefined
    ? {
        ...parameter,
        description: `The ${parameter.name}, a number.`,
        schema: { type: 'integer', minimum: 0 },
      }
    : { ...parameter, description: `The id of the ${noun}.`, schema: { type: 'string', format: 'uuid' } };
}

/** A body in which nothing is due may be left out. */
function mayBeAbsent(document: OpenAPIObject, { requestBody }: Operation): boolean {
  const schema =
    requestBody && 'content' in requestBody ? requestBody.content['application/json']?.schema : {};
  const name = schema && '$ref' in schema ? (schema.$ref.split('/').at(-1) as string) : '';
  const declared = document.components?.schemas?.[name];
  return declared !== undefined && 'properties' in declared && (declared.required ?? []).length === 0;
}

/** All that a door can refuse with: what is its own, and what it shares with doors of its kind. */
function problemsOf(route: Route, operation: Operation): Set<ProblemCode> {
  const parameters = (operation.parameters ?? []) as { name: string; in: string }[];
  const mayHaveBody = route.method !== 'GET';
  return new Set<ProblemCode>([
    'unauthenticated',
    'forbidden',
    ...(route.path.includes(':') ? (['not_found'] as const) : []),
    'invalid_request',
    'uri_too_long',
    ...(parameters.some(({ name }) => name === 'cursor') ? (['invalid_cursor'] as const) : []),
    ...(mayHaveBody ? (['malformed_json', 'request_too_large', 'unsupported_media_type'] as const) : []),
    ...(route.method === 'POST' ? (['idempotency.key_reused', 'idempotency.in_progress'] as const) : []),
    'internal',
    'unavailable',
    'timeout',
    ...route.problems,
  ]);
}

function byStatus(codes: Set<ProblemCode>): [string, ProblemCode[]][] {
  const grouped = new Map<string, ProblemCode[]>();
  for (const code of codes) {
    const status = String(PROBLEMS[code].status);
    grouped.set(status, [...(grouped.get(status) ?? []), code]);
  }
  return [...grouped].sort(([a], [b]) => Number(a) - Number(b));
}

function problemResponse(codes: ProblemCode[], { isUnderLease }: Route): Operation['responses'][string] {
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: headersNamed(
      'X-Request-Id',
      ...(codes.some((code) => code in RETRY_AFTER_SECONDS) ? (['Retry-After'] as const) : []),
      ...(codes.includes('unauthenticated') ? (['WWW-Authenticate'] as const) : []),
      ...(isUnderLease && codes.includes('run.lease_lost') ? (['AgentFlow-Cancel-Requested'] as const) : []),
    ),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** A payload is any JSON value, which the decorators cannot say: its marked schemas lose their type. */
function withAnyJson<T>(node: T): T {
  if (Array.isArray(node)) return node.map((item: unknown) => withAnyJson(item)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const { 'x-any-json': isAny, ...rest } = node as Record<string, unknown>;
  if (isAny) delete rest['type'];
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, withAnyJson(value)])) as T;
}
