import { randomBytes, randomUUID } from 'node:crypto';

/** The alphabet of upstream's `rand.String`: no vowels, no look-alikes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** The random suffix of a generateName, five characters by default. */
export function randomSuffix(length = 5): string {
  let text = '';
  for (const byte of randomBytes(length)) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** A random UUID for metadata.uid. */
export const newUid = (): string => randomUUID();
