import { RawJson } from '@agentflow/domain';
import { TOOLS } from './payload-names.js';
import { isList, objectOf, payloadOf } from './payload-of.js';
import type { Attributes, AttributeValue } from './span.js';

const INDEXED_TOOL = /^llm\.tools\.(\d{1,9})\.tool\.json_schema$/;

/**
 * What went into a call of a model: the input as it was sent, and where it is told which tools the model could call, an
 * object of both.
 */
export function inputOfModel(
  attributes: Attributes,
  input: RawJson | undefined,
  taken: Set<string>,
): RawJson | undefined {
  const tools = toolsIn(attributes, taken);
  return tools === undefined
    ? input
    : payloadOf(
        objectOf([
          ['input', input?.text],
          ['tools', tools],
        ]),
      );
}

/** As the text of a list; some tell each tool as a text of its own. */
function toolsIn(attributes: Attributes, taken: Set<string>): string | undefined {
  for (const name of TOOLS) {
    const value = attributes.get(name);
    if (value === undefined || value === null) continue;
    taken.add(name);
    return isList(value) ? listOf(value) : payloadOf(value).text;
  }
  const indexed = [...attributes.keys()].filter((name) => INDEXED_TOOL.test(name)).sort(byNumber);
  for (const name of indexed) taken.add(name);
  return indexed.length === 0 ? undefined : listOf(indexed.map((name) => attributes.get(name) ?? null));
}

function listOf(values: readonly AttributeValue[]): string {
  return `[${values.map((value) => payloadOf(value).text).join(',')}]`;
}

function byNumber(a: string, b: string): number {
  return Number(INDEXED_TOOL.exec(a)?.[1]) - Number(INDEXED_TOOL.exec(b)?.[1]);
}
