import type { Authenticator } from './authenticator.ts';
import { ANONYMOUS } from './user.ts';

/** Whoever shows nothing that this server knows. */
export const anonymous: Authenticator = async () => ANONYMOUS;
