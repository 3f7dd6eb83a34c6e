import { randomBytes, randomUUID } from 'node:crypto';

/** Letters that upstream's `rand.String` draws from: no vowels, no look-alikes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** The five characters behind a generateName. */
export function randomSuffix(length = 5): string {
  let text = '';
  for (const byte of randomBytes(length)) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** A random UUID for metadata.uid. */
export const newUid = (): string => randomUUID();
