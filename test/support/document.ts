import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

interface Described {
  document: Document;
  ajv: Ajv2020;
  paths: { pattern: RegExp; path: string; isLiteral: boolean }[];
  validators: Map<string, ValidateFunction>;
}

const DESCRIBED = new Map<string, Promise<Described>>();

/** Fails when an answer has a status, a media type or a member that the served document does not have. */
export async function checkAgainstDocument(
  url: string,
  method: string,
  path: string,
  answer: { status: number; headers: Headers; body: unknown },
): Promise<void> {
  const described = await describedApi(url);
  const known = pathOf(described, path.split('?', 1)[0] as string);
  const operation = known && described.document.paths[known]?.[method.toLowerCase()];
  if (!known || !operation) return; // not a documented door: 404 and 405 are checked where they are meant
  const response = operation.responses[String(answer.status)];
  const place = `${method} ${known} → ${answer.status}`;
  if (!response) throw new Error(`${place} is not in the document: ${JSON.stringify(answer.body)}`);
  if (!response.content) return;
  const media = (answer.headers.get('content-type') ?? '').split(';', 1)[0] as string;
  const content = response.content[media];
  if (!content) throw new Error(`${place} is not documented as ${media}`);
  if (media === 'text/event-stream') return;
  const validate = validatorFor(described, `${place} ${media}`, content.schema);
  if (!validate(answer.body)) {
    throw new Error(`${place} is not as documented: ${described.ajv.errorsText(validate.errors)}`);
  }
}

function describedApi(url: string): Promise<Described> {
  const known = DESCRIBED.get(url) ?? load(url);
  DESCRIBED.set(url, known);
  return known;
}

async function load(url: string): Promise<Described> {
  const document = closed((await (await fetch(`${url}/openapi.json`)).json()) as Document);
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  for (const format of ['int64', 'decimal']) ajv.addFormat(format, true);
  ajv.addSchema({ $id: 'document', ...document });
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    isLiteral: !path.endsWith('}'),
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  paths.sort((a, b) => Number(b.isLiteral) - Number(a.isLiteral));
  return { document, ajv, paths, validators: new Map() };
}

/** Declared answers are all there is: a member that the document does not name is a fault. */
function closed(document: Document): Document {
  for (const schema of Object.values(document.components.schemas) as Record<string, unknown>[]) {
    if (schema['type'] === 'object' && schema['properties']) schema['additionalProperties'] = false;
  }
  return document;
}

function pathOf({ paths }: Described, path: string): string | undefined {
  return paths.find(({ pattern }) => pattern.test(path))?.path;
}

function validatorFor(described: Described, place: string, schema: object): ValidateFunction {
  const known = described.validators.get(place);
  if (known) return known;
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
  const validate = described.ajv.compile(absolute);
  described.validators.set(place, validate);
  return validate;
}
