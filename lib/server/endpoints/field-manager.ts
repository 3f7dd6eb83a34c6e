/** Nothing of it is left out: printable ASCII, at most 128 bytes. */
const PLAIN = /^[\x20-\x7e]{1,128}$/;

/** The manager's name: the option, else what stands before the slash of the user agent, printable and ≤ 128 bytes. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager !== '') return fieldManager;
  const prefix = (userAgent ?? '').split('/', 1)[0] as string;
  if (PLAIN.test(prefix)) return prefix;
  const printable = prefix.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '');
  return (
    [...printable].reduce((text, rune) => (Buffer.byteLength(text + rune) > 128 ? text : text + rune), '') || 'unknown'
  );
}
