/** What the head of a part says of it. */
export interface PartHead {
  name: string | undefined;
  mediaType: string;
  /** How many bytes its content has, where the part says so. */
  length: number | undefined;
}

/** Reads the lines of a head. Of a repeated header or parameter the last one counts. */
export function readHead(text: string): PartHead {
  const headers = new Map<string, string>();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const contentType = headers.get('content-type') ?? '';
  const [mediaType = ''] = contentType.split(';', 1);
  const said = parametersOf(contentType).get('length') ?? headers.get('content-length') ?? '';
  return {
    name: parametersOf(headers.get('content-disposition') ?? '').get('name'),
    mediaType: mediaType.trim().toLowerCase(),
    length: /^\d{1,15}$/.test(said) ? Number(said) : undefined,
  };
}

/** `form-data; name="a"; length=3`: what stands behind the first semicolon, by name. One pass, whatever it holds. */
function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>();
  let at = header.indexOf(';');
  while (at >= 0) {
    const equals = header.indexOf('=', at + 1);
    if (equals < 0) break;
    const name = header
      .slice(at + 1, equals)
      .trim()
      .toLowerCase();
    const isQuoted = header[equals + 1] === '"';
    const [value, end] = isQuoted ? quotedAt(header, equals + 2) : tokenAt(header, equals + 1);
    parameters.set(name, value);
    at = header.indexOf(';', end);
  }
  return parameters;
}

function quotedAt(header: string, start: number): [value: string, end: number] {
  let value = '';
  let at = start;
  for (; at < header.length && header[at] !== '"'; at++) {
    if (header[at] === '\\' && at + 1 < header.length) at++;
    value += header[at];
  }
  return [value, at];
}

function tokenAt(header: string, start: number): [value: string, end: number] {
  const semicolon = header.indexOf(';', start);
  const end = semicolon < 0 ? header.length : semicolon;
  return [header.slice(start, end).trim(), end];
}
