import { INGEST_ITEM_SCHEMAS } from '@agentflow/contracts';
import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';

type Schema = Record<string, unknown>;

/** Documents a body of items by the very schemas that check them. */
export function ItemsBody(): MethodDecorator {
  const item = {
    oneOf: Object.values(INGEST_ITEM_SCHEMAS).map((schema) => documented(schema as unknown as Schema)),
  };
  return applyDecorators(
    ApiConsumes('application/json', 'application/x-ndjson'),
    ApiBody({ required: true, schema: { type: 'array', items: item } as never }),
  );
}

/** The schema as a reader of the API page needs it: a payload is any JSON. */
function documented(schema: Schema): Schema {
  const { 'x-json': kind, ...rest } = schema;
  if (kind === 'structured') return { ...rest, type: 'object', additionalProperties: true };
  if (kind === 'cost') {
    return {
      ...rest,
      oneOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', format: 'decimal' },
      ],
    };
  }
  if (kind === 'opaque') return { ...rest, type: 'object', 'x-any-json': true };
  const { properties } = schema;
  if (properties === undefined) return rest;
  const members = Object.entries(properties as Record<string, Schema>);
  return {
    ...rest,
    properties: Object.fromEntries(members.map(([name, member]) => [name, documented(member)])),
  };
}
