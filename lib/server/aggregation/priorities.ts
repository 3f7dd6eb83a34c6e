/** Upstream's priorities of built-in group versions as `[group, version]`, which determine the order of discovery. */
const BUILT_IN: Readonly<Record<string, readonly [number, number]>> = {
  'v1.': [18_000, 1],
  'v1.apps': [17_800, 15],
  'v1.events.k8s.io': [17_750, 15],
  'v1.authentication.k8s.io': [17_700, 15],
  'v1.authorization.k8s.io': [17_600, 15],
  'v1.autoscaling': [17_500, 15],
  'v2.autoscaling': [17_500, 30],
  'v1.batch': [17_400, 15],
  'v1.certificates.k8s.io': [17_300, 15],
  'v1.networking.k8s.io': [17_200, 15],
  'v1.policy': [17_100, 15],
  'v1.rbac.authorization.k8s.io': [17_000, 15],
  'v1.storage.k8s.io': [16_800, 15],
  'v1.apiextensions.k8s.io': [16_700, 15],
  'v1.admissionregistration.k8s.io': [16_700, 15],
  'v1.scheduling.k8s.io': [16_600, 15],
  'v1.coordination.k8s.io': [16_500, 15],
  'v1.node.k8s.io': [16_300, 15],
  'v1.discovery.k8s.io': [16_200, 15],
  'v1.resource.k8s.io': [16_200, 21],
  'v1.flowcontrol.apiserver.k8s.io': [16_100, 21],
};

const CUSTOM = [1000, 100] as const;

/** The priorities of a group and of a version in it. Higher ones come first in discovery. */
export interface Priorities {
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
}

/** Returns the priorities of a built-in group version, given the name of its APIService. Undefined for other names. */
export function builtInPriorities(name: string): Priorities | undefined {
  const known = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  return known && { groupPriorityMinimum: known[0], versionPriority: known[1] };
}

/** The names of the API services of built-in group versions. */
export const builtInNames: readonly string[] = Object.keys(BUILT_IN);

/** The priorities of group versions of custom resources. */
export const CUSTOM_PRIORITIES: Priorities = { groupPriorityMinimum: CUSTOM[0], versionPriority: CUSTOM[1] };
