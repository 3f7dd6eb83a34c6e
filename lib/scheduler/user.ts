import type { User } from '#lib/server/authentication/user.ts';

/** As whom the scheduler acts: upstream's roles are bound to this name. */
export const SCHEDULER_USER: User = { name: 'system:kube-scheduler', groups: [] };
