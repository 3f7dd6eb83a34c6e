import { createHash } from 'node:crypto';

/** The part of an nftables name for user-supplied text: 32 hexadecimal digits, to make collisions infeasible. */
export const hashed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
