import {
  badContainers,
  type Check,
  type CheckPod,
  containers,
  hasOwnUsers,
  type Secured,
  setters,
  unless,
} from '../check.ts';

const nonRoot = ({ securityContext }: Secured): boolean | undefined => securityContext?.runAsNonRoot;

const mustNotBeRoot: CheckPod = ({ spec }) => {
  const reason = 'runAsNonRoot != true';
  const explicit = setters(
    nonRoot(spec) === false,
    badContainers(spec, (one) => nonRoot(one) === false),
  );
  if (explicit !== '') return { reason, detail: `${explicit} must not set securityContext.runAsNonRoot=false` };
  const silent = nonRoot(spec) === true ? [] : badContainers(spec, (one) => nonRoot(one) === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containers(silent)} must set securityContext.runAsNonRoot=true` };
};

/** Every container must refuse to run as root. */
export const runAsNonRoot: Check = {
  id: 'runAsNonRoot',
  versions: [
    { since: 0, check: mustNotBeRoot },
    { since: 35, check: unless(hasOwnUsers, mustNotBeRoot) },
  ],
};

const isRoot = ({ securityContext }: Secured): boolean => Number(securityContext?.runAsUser ?? 1) === 0;

const mustNotNameRoot: CheckPod = ({ spec }) => {
  const who = setters(isRoot(spec), badContainers(spec, isRoot));
  return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
};

/** Containers may not set the user to root by number. */
export const runAsUser: Check = {
  id: 'runAsUser',
  versions: [
    { since: 23, check: mustNotNameRoot },
    { since: 35, check: unless(hasOwnUsers, mustNotNameRoot) },
  ],
};
