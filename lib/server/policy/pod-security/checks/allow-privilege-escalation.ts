import { badContainers, type Check, type CheckPod, containers, isWindows, unless } from '../check.ts';

const mustForbid: CheckPod = ({ spec }) => {
  const bad = badContainers(spec, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containers(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

/** Processes may not gain more privileges than their parent. */
export const allowPrivilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  versions: [
    { since: 8, check: mustForbid },
    { since: 25, check: unless(isWindows, mustForbid) },
  ],
};
