import type * as ajv from 'ajv/dist/2020.js';
import type * as vm from 'node:vm';
import type { MessagePort } from 'node:worker_threads';

/** A schema to be compiled, and what is to be held against it; as text, so that it is read where it can do no harm. */
export interface SchemaQuestion {
  schema: string;
  answer?: string;
}

/** What was found in the answer; nothing when the schema cannot be compiled, or it all takes too long. */
export type SchemaMistakes = Pick<ajv.ErrorObject, 'instancePath' | 'message'>[] | undefined;

/**
 * Answers each question in the order in which they come. It is the whole of a thread, which is given its text: it names
 * nothing that stands outside of it.
 */
export function checkSchemas(
  port: MessagePort,
  { Ajv2020 }: Pick<typeof ajv, 'Ajv2020'>,
  { runInNewContext }: Pick<typeof vm, 'runInNewContext'>,
  patienceMs: number,
): void {
  const options: ajv.Options = {
    strict: false,
    validateFormats: false,
    // A reference that is written out in each place grows beyond all bounds.
    inlineRefs: false,
    logger: false,
  };
  // What a schema itself has to be like. It takes as long to compile as no schema may, so it is compiled once.
  const grammar = new Ajv2020(options);
  void grammar.validateSchema({});

  /** Anew each time: an instance keeps what it has compiled. Undefined for what would answer later. */
  const compile = (schema: object): ajv.ValidateFunction | undefined => {
    const validate = new Ajv2020({ ...options, meta: false, validateSchema: false }).compile(schema);
    return (validate as { $async?: boolean }).$async === true ? undefined : validate;
  };

  const answer = (question: SchemaQuestion): SchemaMistakes => {
    // Whatever draft it names, it is read as one of the draft that is known.
    const { $schema: _, ...schema } = JSON.parse(question.schema) as { $schema?: unknown };
    const validate = grammar.validateSchema(schema) === true ? compile(schema) : undefined;
    if (validate === undefined) return undefined;
    if (question.answer === undefined || validate(JSON.parse(question.answer)) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => ({ instancePath, message }));
  };

  port.on('message', (question: SchemaQuestion) => {
    let mistakes: SchemaMistakes;
    try {
      mistakes = runInNewContext(
        'work()',
        { work: () => answer(question) },
        { timeout: patienceMs },
      ) as SchemaMistakes;
    } catch {
      mistakes = undefined;
    }
    port.postMessage(mistakes);
  });
}
