import { createHash } from 'node:crypto';

/** Characters of a name in nftables: the kernel's limit is 255 bytes. */
const LONGEST_NAME = 240;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Forty bits of the text's SHA-256, as base32. */
function hash(text: string): string {
  let bits = createHash('sha256').update(text).digest().readUIntBE(0, 5);
  let digits = '';
  for (let i = 0; i < 8; i++) {
    digits = `${BASE32[bits % 32]}${digits}`;
    bits = Math.floor(bits / 32);
  }
  return digits;
}

/** A name for a chain or set that stands for the texts: prefix, hash, and as much of the texts as fits. Any text is safe: nftables gets letters, digits, `_`, `.`, `-` and `/` alone. */
export function hashedName(prefix: string, ...texts: readonly string[]): string {
  const full = texts.join('/');
  const readable = full.replaceAll(/[^A-Za-z0-9_.\-/]/g, '.');
  // A separator that no text has keeps different texts apart where their joins are the same.
  const name = `${prefix}-${hash(texts.join('\0'))}-${readable}`;
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 3)}...` : name;
}
