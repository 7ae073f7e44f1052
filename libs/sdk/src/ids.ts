const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const MAX_COUNTER = 0xfff;

let lastMs = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562): later ids of this process sort after earlier ones, also within one millisecond and when the
 * clock is set back. The 12 bits after the time count on from a random start (method 1 of section 6.2).
 */
export function newId(nowMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = ((at(bytes, 6) & 0x07) << 8) | at(bytes, 7); // the upper half is room to count
  } else if (counter < MAX_COUNTER) {
    counter++;
  } else {
    lastMs++;
    counter = 0;
  }
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(lastMs / 2 ** (40 - 8 * i)) % 256;
  bytes[6] = 0x70 | (counter >> 8);
  bytes[7] = counter & 0xff;
  bytes[8] = 0x80 | (at(bytes, 8) & 0x3f);
  const hex = Array.from(bytes, (byte) => HEX[byte]).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}
