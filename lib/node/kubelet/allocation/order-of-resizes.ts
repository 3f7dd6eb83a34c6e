import type { Pod } from '#lib/api/types/core.v1.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { qosClassOf } from '../qos/policy.ts';
import type { PodResizeConditions } from '../status/resize-conditions.ts';

/** The facts about pods that decide the order of their resizes. */
export interface ResizeFacts {
  /** Whether the pod requests more CPU or memory than its allocation. */
  isIncreasing(pod: Pod): boolean;
  readonly conditions: Pick<PodResizeConditions, 'pending'>;
}

/**
 * The pods in the order in which their resizes are tried: decreases first, then by priority, Guaranteed pods, and the longest wait
 * (upstream: sortPendingResizes).
 */
export function inOrderOfResizes(pods: readonly Pod[], facts: ResizeFacts): Pod[] {
  const since = (pod: Pod): number => {
    const time = facts.conditions.pending(uidOf(pod))?.lastTransitionTime;
    return typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY;
  };
  const ranked = pods.map((pod) => ({
    pod,
    ranks: [
      Number(facts.isIncreasing(pod)),
      -(pod.spec.priority ?? 0),
      Number(qosClassOf(pod) !== 'Guaranteed'),
      since(pod),
    ],
  }));
  return ranked.sort((a, b) => compareRanks(a.ranks, b.ranks)).map(({ pod }) => pod);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, rank] of a.entries()) {
    const other = b[index] ?? 0;
    if (rank !== other) return rank < other ? -1 : 1;
  }
  return 0;
}
