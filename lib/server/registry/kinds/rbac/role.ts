import type { Role } from '#lib/api/types/rbac.v1.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateRBACName, validateRules } from './rules.ts';

/** Upstream's pkg/registry/rbac/role. The registry also checks whether the user may grant the role's permissions. */
export const roleStrategy: KindStrategy<Role> = {
  validateName: validateRBACName,
  allowCreateOnUpdate: true,
  validate: (role) => validateRules(role, true),
  validateUpdate: (role) => validateRules(role, true),
};
