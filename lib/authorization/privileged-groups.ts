import { SYSTEM_MASTERS } from '#lib/authentication/user.ts';
import type { Authorizer } from './authorizer.ts';

/** Members of system:masters may do anything: upstream's superuser authorizer. */
export const privilegedGroups: Authorizer = async (user) =>
  user.groups.includes(SYSTEM_MASTERS) ? { decision: 'allow', reason: '' } : { decision: 'noOpinion', reason: '' };
