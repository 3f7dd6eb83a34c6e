import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import { HOSTNAME } from '#lib/scheduler/framework/plugins/podtopologyspread/constraints.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';
import { termsAgainstOwnClass } from './task-class.ts';

/** The limits of a class by topology domain in a round. */
export interface DomainLimits {
  /** The node label whose values are the domains. */
  readonly topologyKey: string;
  /** The maximum number of tasks in each domain. */
  readonly limits: ReadonlyMap<string, number>;
}

/**
 * The limits by domain for `tasks` pods equal to this one, on nodes that pass its filters. Anti-affinity among equal pods allows one pod in
 * each domain. Topology spreading fills the emptiest domains first, up to an equal level. Undefined if the pod has no such constraint. If a
 * pod has several constraints, the first one sets the limits, and the check before binding enforces the others.
 */
export function domainLimits(pod: PodInfo, tasks: number, nodes: readonly NodeInfo[]): DomainLimits | undefined {
  const against = termsAgainstOwnClass(pod).find(({ topologyKey }) => topologyKey !== HOSTNAME);
  if (against !== undefined) {
    const { topologyKey } = against;
    return { topologyKey, limits: new Map(domainsOf(nodes, topologyKey).map((domain) => [domain, 1])) };
  }
  const spread = pod.pod.spec.topologySpreadConstraints?.find(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
  );
  if (spread === undefined) return undefined;
  const { topologyKey, labelSelector } = spread;
  const selector = selectorFromObject(labelSelector);
  const counts = new Map(domainsOf(nodes, topologyKey).map((domain) => [domain, 0]));
  for (const { labels, pods } of nodes) {
    const domain = labels[topologyKey] ?? '';
    for (const other of pods.values())
      if (other.namespace === pod.namespace && matches(selector, other.labels))
        counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  const level = levelOf([...counts.values()], tasks);
  return {
    topologyKey,
    limits: new Map(Array.from(counts, ([domain, count]) => [domain, Math.max(0, level - count)])),
  };
}

/** The lowest level to which `tasks` additional pods can fill domains with these counts. */
export function levelOf(counts: readonly number[], tasks: number): number {
  const sorted = counts.toSorted((a, b) => a - b);
  let [filled, sum] = [0, 0];
  for (const count of sorted) {
    if (filled > 0 && count * filled - sum >= tasks) break;
    filled++;
    sum += count;
  }
  return filled === 0 ? 0 : Math.ceil((sum + tasks) / filled);
}

const domainsOf = (nodes: readonly NodeInfo[], topologyKey: string): string[] => [
  ...new Set(nodes.flatMap(({ labels }) => labels[topologyKey] ?? [])),
];
