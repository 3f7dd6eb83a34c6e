import { requiredNodeAffinity } from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import { findUntoleratedTaint } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import { marshal } from '#lib/machinery/go.ts';
import { isEverything, matches, selectorText } from '#lib/machinery/labels/selector.ts';
import type { PodInfo } from '../../pod-info.ts';
import type { Counting, Share } from '../shared/domain-tally.ts';
import type { NodePlace } from '../shared/pod-journal.ts';
import { type Constraint, HOSTNAME, hasAllKeys } from './constraints.ts';

/** The taint effects that keep pods off a node. */
const EFFECTS = ['NoSchedule', 'NoExecute'];

/** Whether a node counts for a constraint of the pod (KEP-3094). */
export function inclusion(pod: PodInfo): (constraint: Constraint, node: NodePlace) => boolean {
  const affinity = requiredNodeAffinity(pod.pod.spec);
  const { tolerations = [] } = pod.pod.spec;
  return ({ honorsAffinity, honorsTaints }, node) =>
    (!honorsAffinity || affinity.matches(node)) &&
    (!honorsTaints || findUntoleratedTaint(node.node, tolerations, EFFECTS) === undefined);
}

/** The domains of each constraint, by the constraint's index. Covers nodes that count and have all keys. */
export function domainCounting(pod: PodInfo, constraints: readonly Constraint[]): Counting<undefined> {
  const isIncluded = inclusion(pod);
  return {
    ofNode(place) {
      if (!hasAllKeys(place.labels, constraints)) return [];
      return constraints.flatMap((one, i) => (isIncluded(one, place) ? [share(i, place.labels[one.topologyKey])] : []));
    },
  };
}

/** Counts of matching pods by domain, as Filter counts them. */
export function filterCounting(pod: PodInfo, constraints: readonly Constraint[]): Counting<undefined> {
  const isIncluded = inclusion(pod);
  return podCounting(pod, constraints, (one, i, place) => {
    if (!hasAllKeys(place.labels, constraints) || !isIncluded(one, place)) return undefined;
    return share(i, place.labels[one.topologyKey]);
  });
}

/** Counts of matching pods by domain, as Score counts them. Each host is a domain, and nodes without the key share one unnamed domain. */
export function scoreCounting(
  pod: PodInfo,
  constraints: readonly Constraint[],
  needsAllKeys: boolean,
): Counting<undefined> {
  const isIncluded = inclusion(pod);
  return podCounting(pod, constraints, (one, i, place) => {
    if (needsAllKeys && !hasAllKeys(place.labels, constraints)) return undefined;
    if (one.topologyKey === HOSTNAME) return share(i, place.name);
    return isIncluded(one, place) ? share(i, place.labels[one.topologyKey]) : undefined;
  });
}

type ShareOf = (constraint: Constraint, i: number, place: NodePlace) => Share<undefined> | undefined;

/** Counts the non-terminating pods of the namespace that a constraint selects. An empty selector counts none. */
function podCounting(
  { namespace }: PodInfo,
  constraints: readonly Constraint[],
  shareOf: ShareOf,
): Counting<undefined> {
  const counted = constraints.map((one) => ({ one, isEmpty: isEverything(one.selector) }));
  return {
    namespaces: new Set([namespace]),
    ofPod(other, place) {
      if (other.deleted !== undefined) return NO_SHARES;
      const shares: Share<undefined>[] = [];
      for (const [i, { one, isEmpty }] of counted.entries()) {
        const found = isEmpty || !matches(one.selector, other.labels) ? undefined : shareOf(one, i, place);
        if (found !== undefined) shares.push(found);
      }
      return shares;
    },
  };
}

const NO_SHARES: readonly Share<undefined>[] = [];

const share = (i: number, domain = ''): Share<undefined> => ({ key: String(i), of: undefined, domain });

/** A text that is equal for pods with the same domains. */
export function domainSignature({ pod }: PodInfo, constraints: readonly Constraint[]): string {
  const { nodeSelector, affinity: own, tolerations: given = [] } = pod.spec;
  const affinity = constraints.some((one) => one.honorsAffinity) ? [nodeSelector, own?.nodeAffinity] : [];
  const tolerations = constraints.some((one) => one.honorsTaints) ? given : [];
  const texts = constraints.map((one) => [one.topologyKey, one.honorsAffinity, one.honorsTaints]);
  return marshal([texts, affinity, tolerations]);
}

/** A text that is equal for pods that also count the same pods. */
export function signature(pod: PodInfo, constraints: readonly Constraint[]): string {
  const selectors = constraints.map(({ selector }) => [selector.nothing === true, selectorText(selector)]);
  return marshal([pod.namespace, selectors, domainSignature(pod, constraints)]);
}
