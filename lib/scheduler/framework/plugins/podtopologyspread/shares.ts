import { findUntoleratedTaint, tolerationsOf } from '#lib/component-helpers/scheduling/corev1/taints.ts';
import { requiredNodeAffinity } from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import { marshal } from '#lib/machinery/go.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { selectorText } from '#lib/machinery/labels/selector.ts';
import { at } from '#lib/machinery/unstructured.ts';
import type { NodeInfo } from '../../node-info.ts';
import type { PodInfo } from '../../pod-info.ts';
import type { Share } from '../shared/domain-tally.ts';
import { countMatching, hasAllKeys, HOSTNAME, type Constraint } from './constraints.ts';

/** Taints that keep pods from being placed. */
const EFFECTS = ['NoSchedule', 'NoExecute'];

export type SharesOf = (node: NodeInfo) => readonly Share<undefined>[];

/** Whether a node counts for a constraint of the pod (KEP-3094). */
export function inclusion(pod: PodInfo): (constraint: Constraint, node: NodeInfo) => boolean {
  const affinity = requiredNodeAffinity(objectAt(pod.pod, 'spec'));
  const tolerations = tolerationsOf(pod.pod);
  return ({ honorsAffinity, honorsTaints }, node) =>
    (!honorsAffinity || affinity.matches(node)) &&
    (!honorsTaints || findUntoleratedTaint(node.node, tolerations, EFFECTS) === undefined);
}

/** How many matching pods a node adds to the domains of each constraint, named by its place, as Filter counts. */
export function filterShares(pod: PodInfo, constraints: readonly Constraint[]): SharesOf {
  const isIncluded = inclusion(pod);
  return (node) => {
    if (!hasAllKeys(node.labels, constraints)) return [];
    return constraints.flatMap((one, i) => (isIncluded(one, node) ? [share(one, i, pod, node)] : []));
  };
}

/** The same as Score counts: hosts are counted each for itself, and nodes without a key may be a domain without name. */
export function scoreShares(pod: PodInfo, constraints: readonly Constraint[], needsAllKeys: boolean): SharesOf {
  const isIncluded = inclusion(pod);
  return (node) => {
    if (needsAllKeys && !hasAllKeys(node.labels, constraints)) return [];
    return constraints.flatMap((one, i) => {
      const isHost = one.topologyKey === HOSTNAME;
      if (!isHost && !isIncluded(one, node)) return [];
      const shared = share(one, i, pod, node);
      return [isHost ? { ...shared, domain: node.name } : shared];
    });
  };
}

const share = (one: Constraint, i: number, { namespace }: PodInfo, node: NodeInfo): Share<undefined> => ({
  key: String(i),
  of: undefined,
  domain: node.labels[one.topologyKey] ?? '',
  count: countMatching(node.pods.values(), one.selector, namespace),
});

/** Pods of the same text have the same shares in all nodes. */
export function signature(pod: PodInfo, constraints: readonly Constraint[], ...more: readonly unknown[]): string {
  const spec = objectAt(pod.pod, 'spec');
  const affinity = constraints.some((one) => one.honorsAffinity)
    ? [objectAt(spec, 'nodeSelector'), at(spec, 'affinity', 'nodeAffinity')]
    : [];
  const tolerations = constraints.some((one) => one.honorsTaints) ? tolerationsOf(pod.pod) : [];
  const texts = constraints.map(({ topologyKey, selector, honorsAffinity, honorsTaints }) => [
    topologyKey,
    selector.nothing === true,
    selectorText(selector),
    honorsAffinity,
    honorsTaints,
  ]);
  return marshal([...more, pod.namespace, texts, affinity, tolerations]);
}
