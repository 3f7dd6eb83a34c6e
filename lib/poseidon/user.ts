import type { User } from '#lib/server/authentication/user.ts';

/** The user that this scheduler acts as. A role of its own is bound to it, so upstream's roles of the default scheduler stay as they are. */
export const POSEIDON_USER: User = { name: 'system:poseidon', groups: [] };
