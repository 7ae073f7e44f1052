const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * The id in the one spelling that is stored and answered, lower case; undefined for anything but a UUID of
 * the form 8-4-4-4-12. Any version is taken, for clients choose ids too; the nil UUID is not, because it
 * stands for "none" in too many programs.
 */
export function parseId(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || !UUID.test(raw) || raw === NIL) return undefined;
  return raw.toLowerCase();
}
