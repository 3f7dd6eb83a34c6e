import type { User } from '#lib/server/authentication/user.ts';

/** The user that the scheduler acts as. Upstream's roles are bound to this name. */
export const SCHEDULER_USER: User = { name: 'system:kube-scheduler', groups: [] };
