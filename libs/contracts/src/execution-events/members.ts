/** A member of an execution event: its JSON Schema, and, to the compiler only, the type of its value. */
export interface Member<T> {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Never there; it carries the type. */
  readonly value?: T;
}

/** Stands for the type of payloads, which whoever uses the events chooses. */
export interface AnyJson {
  readonly anyJson: true;
}

/** The type of a member's value, with `Payload` where a payload stands. */
export type ValueOf<M, Payload> = M extends Member<infer T> ? (AnyJson extends T ? Payload : T) : never;

const orNull = (type: string): string[] => [type, 'null'];

export const text = (description: string): Member<string> => ({ schema: { type: 'string', description } });
export const textOrNull = (description: string): Member<string | null> => ({
  schema: { type: orNull('string'), description },
});
export const id = (description: string): Member<string> => ({
  schema: { type: 'string', format: 'uuid', description },
});
export const moment = (description: string): Member<string> => ({
  schema: { type: 'string', format: 'date-time', description },
});
export const count = (description: string): Member<number> => ({
  schema: { type: 'integer', minimum: 0, description },
});
export const countOrNull = (description: string): Member<number | null> => ({
  schema: { type: orNull('integer'), minimum: 0, description },
});
export const amount = (description: string): Member<number> => ({ schema: { type: 'number', description } });
export const amountOrNull = (description: string): Member<number | null> => ({
  schema: { type: orNull('number'), minimum: 0, description },
});
export const truth = (description: string): Member<boolean> => ({ schema: { type: 'boolean', description } });
export const payload = (description: string): Member<AnyJson> => ({ schema: { description } });
export const oneOf = <T extends string>(words: readonly T[], description: string): Member<T> => ({
  schema: { type: 'string', enum: [...words], description },
});
export const listOf = <M extends Readonly<Record<string, Member<unknown>>>>(
  members: M,
  description: string,
): Member<{ [N in keyof M]: ValueOf<M[N], never> }[]> => ({
  schema: { type: 'array', items: objectSchema(members), description },
});

/** The schema of an object that has all these members. More may be added, so more are let through. */
export function objectSchema(members: Readonly<Record<string, Member<unknown>>>): Record<string, unknown> {
  const properties = Object.entries(members).map(([name, { schema }]) => [name, schema]);
  return { type: 'object', required: Object.keys(members), properties: Object.fromEntries(properties) };
}
