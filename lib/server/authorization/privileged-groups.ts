import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { ALLOW, type Authorizer, noOpinion } from './authorizer.ts';

/** Members of system:masters may do anything: upstream's superuser authorizer. */
export const privilegedGroups: Authorizer = async (user) =>
  user.groups.includes(SYSTEM_MASTERS) ? ALLOW : noOpinion();
