/**
 * The credential of a request, from `Authorization: Bearer …` or `X-API-Key`; `undefined` when there is none or
 * more than one. Node keeps only the first of repeated headers, silently, so the raw list decides. A key in the
 * address is never looked at.
 */
export function credentialOf(rawHeaders: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const credential = credentialIn(rawHeaders[i] as string, rawHeaders[i + 1] as string);
    if (credential === undefined) continue;
    if (found !== undefined) return undefined;
    found = credential;
  }
  return found === '' ? undefined : found;
}

/** A user's name and a key for a password, as Langfuse's clients send it; whose name it is does not matter. */
const BASIC = /^Basic ([A-Za-z0-9+/]{1,512}={0,2})$/i;
const BEARER = /^Bearer ([\x21-\x7e]{1,256})$/i;
const KEY = /^[\x21-\x7e]{1,256}$/;

/** The credential in one header; the empty text for a header that should hold one and does not. */
function credentialIn(name: string, value: string): string | undefined {
  if (name.length === 13 && name.toLowerCase() === 'authorization')
    return BEARER.exec(value)?.[1] ?? passwordIn(value);
  if (name.length === 9 && name.toLowerCase() === 'x-api-key') return KEY.test(value) ? value : '';
  return undefined;
}

/** The password of a Basic credential when it can be a key; the empty text otherwise. */
function passwordIn(value: string): string {
  const pair = Buffer.from(BASIC.exec(value)?.[1] ?? '', 'base64').toString('latin1');
  const password = pair.slice(pair.indexOf(':') + 1);
  return pair.includes(':') && password.startsWith('af_') && KEY.test(password) ? password : '';
}
