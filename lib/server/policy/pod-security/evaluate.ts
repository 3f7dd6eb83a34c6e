import type { Check, CheckPod, PodView, Violation } from './check.ts';
import { allowPrivilegeEscalation } from './checks/allow-privilege-escalation.ts';
import { appArmorProfile } from './checks/app-armor-profile.ts';
import { capabilitiesBaseline, capabilitiesRestricted } from './checks/capabilities.ts';
import { hostNamespaces, hostPathVolumes, hostPorts, hostProbesAndHostLifecycle } from './checks/host.ts';
import { privileged } from './checks/privileged.ts';
import { procMount, procMountRestricted } from './checks/proc-mount.ts';
import { restrictedVolumes } from './checks/restricted-volumes.ts';
import { runAsNonRoot, runAsUser } from './checks/run-as.ts';
import { seLinuxOptions } from './checks/se-linux-options.ts';
import { seccompProfileBaseline, seccompProfileRestricted } from './checks/seccomp-profile.ts';
import { sysctls } from './checks/sysctls.ts';
import { windowsHostProcess } from './checks/windows.ts';
import { type LevelVersion, minorOf } from './policy.ts';

/** In the order in which messages list them: by id, baseline checks first. */
const BASELINE: readonly Check[] = [
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndHostLifecycle,
  privileged,
  procMount,
  seLinuxOptions,
  seccompProfileBaseline,
  sysctls,
  windowsHostProcess,
];
const RESTRICTED: readonly Check[] = [
  allowPrivilegeEscalation,
  capabilitiesRestricted,
  procMountRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfileRestricted,
];

/** The last version in which a check changed. Later versions have the same checks. */
const NEWEST = Math.max(...[...BASELINE, ...RESTRICTED].flatMap(({ versions }) => versions.map(({ since }) => since)));

const known = new Map<string, readonly CheckPod[]>();

/** Returns the violations of a pod for a level and a version. Empty if the pod is allowed. */
export function evaluate({ level, version }: LevelVersion, pod: PodView): Violation[] {
  if (level === 'privileged') return [];
  return checksOf(level, Math.min(minorOf(version), NEWEST)).flatMap((check) => check(pod) ?? []);
}

function checksOf(level: 'baseline' | 'restricted', minor: number): readonly CheckPod[] {
  const key = `${level}/${minor}`;
  let checks = known.get(key);
  if (checks === undefined) known.set(key, (checks = select(level, minor)));
  return checks;
}

function select(level: 'baseline' | 'restricted', minor: number): readonly CheckPod[] {
  const restricted = level === 'restricted' ? RESTRICTED.filter((check) => inForce(check, minor) !== undefined) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  const all = [...BASELINE.filter(({ id }) => !overridden.has(id)), ...restricted];
  return all.flatMap((check) => inForce(check, minor) ?? []);
}

const inForce = ({ versions }: Check, minor: number): CheckPod | undefined =>
  versions.findLast(({ since }) => since <= minor)?.check;

/** Returns every reason with its details. */
export const detailsOf = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');

/** Returns every reason without details. */
export const reasonsOf = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');
