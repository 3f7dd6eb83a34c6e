import type { KindStrategy } from '../../strategy.ts';
import { validateRBACName, validateRules } from './rules.ts';

/** Upstream's pkg/registry/rbac/role. Whether a user may grant what the role allows is its storage's, not this strategy's. */
export const roleStrategy: KindStrategy = {
  validateName: validateRBACName,
  allowCreateOnUpdate: true,
  validate: (role) => validateRules(role, true),
  validateUpdate: (role) => validateRules(role, true),
};
