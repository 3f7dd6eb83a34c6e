import {
  type AnyContainer,
  type Check,
  type CheckPod,
  containers,
  containersOf,
  distinct,
  hasOwnUsers,
  quoted,
  unless,
} from '../check.ts';

const mountOf = ({ securityContext }: AnyContainer): string => securityContext?.procMount ?? 'Default';

const isDefault: CheckPod = ({ spec }) => {
  const bad = containersOf(spec).filter((container) => mountOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  const names = containers(bad.map(({ name }) => name));
  return {
    reason: 'procMount',
    detail: `${names} must not set securityContext.procMount to ${quoted(distinct(bad.map(mountOf)))}`,
  };
};

/** /proc must be masked, except in pods with their own user namespace. */
export const procMount: Check = {
  id: 'procMount',
  versions: [
    { since: 0, check: isDefault },
    { since: 35, check: unless(hasOwnUsers, isDefault) },
  ],
};

/** /proc must be masked in every pod, even in versions in which the baseline has an exception. */
export const procMountRestricted: Check = {
  id: 'procMount_restricted',
  overrides: 'procMount',
  versions: [{ since: 35, check: isDefault }],
};
