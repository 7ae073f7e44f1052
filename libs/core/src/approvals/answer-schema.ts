import type { RequestFault } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { schemaThread } from './schema-thread.js';

/** How large a schema may be, in bytes: a form for a person, and no more. */
export const LARGEST_SCHEMA = 16 * 1024;

/** Why nothing can be held against this JSON Schema (draft 2020-12); nothing when it can. */
export async function faultOfSchema(schema: RawJson): Promise<string | undefined> {
  const mistakes = await schemaThread.ask({ schema: schema.text });
  return mistakes === undefined ? 'is no JSON Schema that can be checked' : undefined;
}

/** What keeps a value from what its schema asks for, with pointers into the value; nothing when it is as it should be. */
export async function faultsOfAnswer(schema: RawJson, answer: RawJson): Promise<RequestFault[]> {
  const mistakes = await schemaThread.ask({ schema: schema.text, answer: answer.text });
  if (mistakes === undefined)
    return [{ pointer: '', detail: 'takes too long to be held against the schema' }];
  return mistakes.map(({ instancePath, message = 'is not what the schema asks for' }) => ({
    pointer: instancePath,
    detail: message,
  }));
}
