/** The body's text, or `undefined` when it is longer than `maxBytes`: then the rest is not even received. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Lets go of a body that nobody reads, so that its connection is free again. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}
