/** JSON that is sent as it is spelled: what a JavaScript number would round goes through digit for digit. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Marks a text as JSON, to stand anywhere in a payload: `rawJson('{"account": 90071992547409931}')`. */
export function rawJson(text: string): RawJson {
  JSON.parse(text);
  return new RawJson(text);
}
