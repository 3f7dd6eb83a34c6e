import type { User } from '#lib/server/authentication/user.ts';

/** The user that this scheduler acts as. A separate role is bound to it, so upstream's roles for the default scheduler stay unchanged. */
export const POSEIDON_USER: User = { name: 'system:poseidon', groups: [] };
