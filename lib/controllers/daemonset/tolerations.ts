import type { PodSpec, Taint, Toleration } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';

const tolerationOf = (name: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
});

/** Daemons run and stay on nodes that other pods avoid. */
const DAEMONS: readonly Toleration[] = [
  tolerationOf('not-ready', 'NoExecute'),
  tolerationOf('unreachable', 'NoExecute'),
  tolerationOf('disk-pressure', 'NoSchedule'),
  tolerationOf('memory-pressure', 'NoSchedule'),
  tolerationOf('pid-pressure', 'NoSchedule'),
  tolerationOf('unschedulable', 'NoSchedule'),
];
const ON_HOST = tolerationOf('network-unavailable', 'NoSchedule');
const SAME = ['key', 'operator', 'effect', 'value'] as const;

/** The tolerations of a daemon set's pods: those of the template and those of all daemons. */
export function daemonTolerations({ hostNetwork, tolerations = [] }: PodSpec): readonly Toleration[] {
  const needed = hostNetwork === true ? [...DAEMONS, ON_HOST] : DAEMONS;
  return needed.reduce<readonly Toleration[]>(withToleration, tolerations);
}

/** Replaces a toleration that differs only in its seconds. */
function withToleration(held: readonly Toleration[], needed: Toleration): readonly Toleration[] {
  const isSame = (one: Toleration): boolean => SAME.every((field) => (one[field] ?? '') === (needed[field] ?? ''));
  return held.some(isSame) ? held.map((one) => (isSame(one) ? needed : one)) : [...held, needed];
}

/** Whether the taints of two states of a node are the same. */
export const sameTaints = (a: readonly Taint[], b: readonly Taint[]): boolean => equal([...a], [...b]);
