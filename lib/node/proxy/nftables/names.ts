import { createHash } from 'node:crypto';

/** The maximum length of a name in characters. The kernel's limit is 255 bytes. */
const LONGEST_NAME = 240;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The first 40 bits of the text's SHA-256, as base32. */
function hash(text: string): string {
  let bits = createHash('sha256').update(text).digest().readUIntBE(0, 5);
  let digits = '';
  for (let i = 0; i < 8; i++) {
    digits = `${BASE32[bits % 32]}${digits}`;
    bits = Math.floor(bits / 32);
  }
  return digits;
}

/**
 * A name for a chain or set that identifies the texts: prefix, hash, and as much of the texts as fits. Any text is safe: the name contains
 * only letters, digits, `_`, `.`, `-` and `/`.
 */
export function hashedName(prefix: string, ...texts: readonly string[]): string {
  const full = texts.join('/');
  const readable = full.replaceAll(/[^A-Za-z0-9_.\-/]/g, '.');
  // The separator occurs in no text. It distinguishes different texts whose concatenations are equal.
  const name = `${prefix}-${hash(texts.join('\0'))}-${readable}`;
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 3)}...` : name;
}
