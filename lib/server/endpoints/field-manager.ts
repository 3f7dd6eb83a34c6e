/** Matches a name that needs no filtering: printable ASCII, at most 128 bytes. */
const PLAIN = /^[\x20-\x7e]{1,128}$/;

/** Returns the manager's name: the option, or otherwise the part of the user agent before the slash, printable and ≤ 128 bytes. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager !== '') return fieldManager;
  const prefix = (userAgent ?? '').split('/', 1)[0] as string;
  if (PLAIN.test(prefix)) return prefix;
  const printable = prefix.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
  return (
    [...printable].reduce((text, rune) => (Buffer.byteLength(text + rune) > 128 ? text : text + rune), '') || 'unknown'
  );
}
