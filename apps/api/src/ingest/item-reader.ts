import { FLAGS_MEMBER, INGEST_ITEM_SCHEMAS, type IngestItem, type ItemSchema } from '@agentflow/contracts';
import { setsFlags } from '@agentflow/core';
import {
  DomainError,
  RawJson,
  normalizeName,
  parseCost,
  parseId,
  parseTimestamp,
  type EnvelopeShape,
  type ItemReading,
} from '@agentflow/domain';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

const LARGEST_OBJECT = 256 * 1024;

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: false, messages: true });
ajv.addFormat('uuid', { type: 'string', validate: (text: string) => parseId(text) !== undefined });
ajv.addFormat('date-time', {
  type: 'string',
  validate: (text: string) => parseTimestamp(text) !== undefined,
});
ajv.addFormat('name', { type: 'string', validate: (text: string) => 'name' in normalizeName(text) });
ajv.addFormat('text', { type: 'string', validate: isKeepable });
ajv.addKeyword({ keyword: 'x-json', schemaType: 'string', validate: isOfKind, errors: false });

/** Names and texts that are envelope values come past the scanner, which has refused NUL and half pairs already. */
function isKeepable(text: string): boolean {
  return text.isWellFormed();
}

function isOfKind(kind: string, value: unknown): boolean {
  if (!(value instanceof RawJson)) return false;
  if (kind === 'cost') return parseCost(literalIn(value)) !== undefined;
  if (kind !== 'structured') return true;
  return value.text.startsWith('{') && Buffer.byteLength(value.text) <= LARGEST_OBJECT;
}

function literalIn({ text }: RawJson): string {
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** What one type of item takes: its compiled form, and the members that have one spelling. */
interface ItemForm {
  validate: ValidateFunction;
  ids: string[];
}

const FORMS = new Map<unknown, ItemForm>(
  Object.entries(INGEST_ITEM_SCHEMAS).map(([type, schema]) => [type, formOf(schema)]),
);

function formOf(schema: ItemSchema): ItemForm {
  const ids = Object.entries(schema.properties).flatMap(([name, { format }]) =>
    format === 'uuid' ? [name] : [],
  );
  return { validate: ajv.compile(schema), ids };
}

/** Which members of any item are kept as text. A name means the same in all of them. */
export const ITEM_SHAPE: EnvelopeShape = {
  opaque: membersOf('opaque', 'cost'),
  structured: membersOf('structured'),
  nested: new Map([['agent', { structured: new Set(['config']) }]]),
};

function membersOf(...kinds: string[]): Set<string> {
  return new Set(
    Object.values(INGEST_ITEM_SCHEMAS).flatMap(({ properties }) =>
      Object.entries(properties).flatMap(([name, member]) =>
        kinds.includes(member['x-json'] as string) ? [name] : [],
      ),
    ),
  );
}

/** The item in canonical form (ids in lower case, times in UTC), or why it is none. */
export function readItem(reading: ItemReading): IngestItem<RawJson> | DomainError {
  if (!reading.ok) return invalid(reading.faults[0] as { pointer: string; detail: string });
  const item = reading.value as Record<string, unknown>;
  if (typeof item !== 'object' || item === null)
    return invalid({ pointer: '', detail: 'has to be an object' });
  const form = FORMS.get(item['type']);
  if (!form) return invalid({ pointer: '/type', detail: `has to be one of ${[...FORMS.keys()].join(', ')}` });
  if (!form.validate(item))
    return invalid(faultOf((form.validate.errors as ErrorObject[])[0] as ErrorObject));
  for (const name of form.ids) {
    if (typeof item[name] === 'string') item[name] = item[name].toLowerCase();
  }
  item['at'] = parseTimestamp(item['at']);
  if (item['cost_usd'] instanceof RawJson) item['cost_usd'] = parseCost(literalIn(item['cost_usd']));
  const agent = item['agent'] as Record<string, unknown> | undefined;
  if (agent) agent['name'] = (normalizeName(agent['name'] as string) as { name: string }).name;
  if (Array.isArray(item['tags'])) item['tags'] = [...new Set(item['tags'] as string[])];
  return ruled(item);
}

/** What no schema says. */
function ruled(item: Record<string, unknown>): IngestItem<RawJson> | DomainError {
  const isOfRun = (item['type'] as string).startsWith('run.');
  if (isOfRun && item['id'] !== undefined && item['id'] !== item['run_id']) {
    return invalid({ pointer: '/id', detail: 'has to be the run_id, or left out' });
  }
  if (item['parent_step_id'] !== undefined && item['parent_step_id'] === item['id']) {
    return invalid({ pointer: '/parent_step_id', detail: 'a step is not its own parent' });
  }
  const metadata = item['metadata'];
  if (metadata instanceof RawJson && setsFlags(metadata)) {
    return invalid({ pointer: `/metadata/${FLAGS_MEMBER}`, detail: 'is kept by AgentFlow itself' });
  }
  return item as unknown as IngestItem<RawJson>;
}

function invalid(fault: { pointer: string; detail: string }): DomainError {
  const { pointer, detail } = fault;
  return new DomainError('invalid_request', { faults: [{ pointer, detail }] });
}

/** ajv tells of a member that is missing or unknown at the object around it. */
function faultOf({ instancePath, keyword, params, message }: ErrorObject): {
  pointer: string;
  detail: string;
} {
  const name = (params['missingProperty'] ?? params['additionalProperty']) as string | undefined;
  const pointer =
    name === undefined ? instancePath : `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (keyword === 'required') return { pointer, detail: 'is missing' };
  if (keyword === 'additionalProperties') return { pointer, detail: 'is not a member of this item' };
  return {
    pointer,
    detail: DETAILS[(params['format'] as string) ?? keyword] ?? message ?? 'is not as documented',
  };
}

const DETAILS: Readonly<Record<string, string>> = {
  uuid: 'has to be a UUID',
  'date-time': 'has to be a real date and time with a zone, such as 2026-02-03T04:05:06.123456Z',
  name: 'has to be a name of 1 to 128 characters without control characters',
  'x-json': 'is not of the documented kind, or too large',
};
