/** A schema of the served document, as far as these tests look into it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly oneOf?: readonly Schema[];
  /** With `null` as the other: what may be left empty. */
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** One member of a body: `/agent/name` for a member of a member. */
export interface BodyField {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** One operation of the served document. */
export interface Door {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly queries: readonly Parameter[];
  readonly hasBody: boolean;
  readonly fields: readonly BodyField[];
  readonly statuses: readonly string[];
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, unknown>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/**
 * All doors that the api itself says it has, so that a new one is tested without being written down here. One that takes
 * a list is judged item by item, and has tests of its own.
 */
export async function doorsOf(url: string): Promise<Door[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const body = operation.requestBody?.content['application/json'].schema;
      if (body?.type === 'array') return [];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        queries: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'),
        hasBody: body !== undefined,
        fields: body === undefined ? [] : fieldsIn(document, body, []),
        statuses: Object.keys(operation.responses),
      };
    }),
  );
}

function fieldsIn(document: Document, schema: Schema, above: readonly string[]): BodyField[] {
  const { properties = {}, required = [] } = resolved(document, schema);
  return Object.entries(properties).flatMap(([name, declared]) => {
    const path = [...above, name];
    const own = resolved(document, declared);
    const field = { pointer: `/${path.join('/')}`, path, schema: own, isRequired: required.includes(name) };
    return own.properties ? [field, ...fieldsIn(document, own, path)] : [field];
  });
}

function resolved(document: Document, schema: Schema): Schema {
  const { allOf: [only] = [], ...rest } = schema;
  const ref = schema.$ref ?? only?.$ref;
  if (ref === undefined) return schema;
  return { ...document.components.schemas[ref.split('/').at(-1) as string], ...rest };
}
