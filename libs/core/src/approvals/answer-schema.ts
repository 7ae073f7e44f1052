import type { RequestFault } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { runInNewContext } from 'node:vm';

/** How large a schema may be, in bytes: a form for a person, and no more. */
export const LARGEST_SCHEMA = 16 * 1024;

/**
 * How long a schema may be worked on, in milliseconds. It comes from whoever asks, and few bytes can ask for years of
 * work: by an expression that backtracks, or by references that double.
 */
const PATIENCE_MS = 500;

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  // A reference that is written out in each place grows beyond all bounds.
  inlineRefs: false,
  logger: false,
};

let known: Ajv2020 | undefined;

/** What a schema itself has to be like. It takes as long to compile as no schema may, so it is compiled once. */
function grammar(): Ajv2020 {
  if (known === undefined) {
    known = new Ajv2020(OPTIONS);
    void known.validateSchema({});
  }
  return known;
}

/** Why nothing can be held against this JSON Schema (draft 2020-12); nothing when it can. */
export function faultOfSchema(schema: RawJson): string | undefined {
  const rules = grammar();
  const outcome = withinPatience(() => {
    const value = schema.parse() as object;
    // Whatever draft it names, it is read as one of the draft that is known.
    const { $schema: _, ...bare } = value as { $schema?: unknown };
    return rules.validateSchema(bare) === true ? compile(value) : undefined;
  });
  return typeof outcome === 'function' ? undefined : 'is no JSON Schema that can be checked';
}

/** What keeps a value from what its schema asks for, with pointers into the value; nothing when it is as it should be. */
export function faultsOfAnswer(schema: RawJson, answer: RawJson): RequestFault[] {
  const outcome = withinPatience(() => {
    const validate = compile(schema.parse() as object);
    return validate === undefined || validate(answer.parse()) === true ? [] : (validate.errors ?? []);
  });
  if (outcome === undefined) return [{ pointer: '', detail: 'takes too long to be held against the schema' }];
  return outcome.map(({ instancePath, message = 'is not what the schema asks for' }) => ({
    pointer: instancePath,
    detail: message,
  }));
}

/** Anew each time: an instance keeps what it has compiled. Undefined for what would answer later. */
function compile(schema: object): ValidateFunction | undefined {
  const ajv = new Ajv2020({ ...OPTIONS, meta: false, validateSchema: false });
  const validate = ajv.compile(schema);
  return (validate as { $async?: boolean }).$async === true ? undefined : validate;
}

/** What a work comes to; undefined when it throws or takes too long. */
function withinPatience<T>(work: () => T): T | undefined {
  try {
    return runInNewContext('work()', { work }, { timeout: PATIENCE_MS }) as T;
  } catch {
    return undefined;
  }
}
