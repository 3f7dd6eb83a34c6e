import { createHash } from 'node:crypto';

/** A part of a name in nftables for text that others wrote: 32 digits, so that nobody finds two texts with one. */
export const hashed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
