import type { Node, NodeCondition, Pod, PodCondition, PodStatus } from '#lib/api/types/core.v1.ts';
import { nodeReadyCondition } from '#lib/helpers/component-helpers/node/readiness.ts';
import { isPodReady, podReadyCondition } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { readiness } from './health.ts';

/**
 * The unready status of a ready pod whose node is lost or not ready. Undefined if the pod is not ready, or if a node that still reports has
 * set it to ready since then.
 */
export function notReady(pod: Pod, node: Node, now: number): PodStatus | undefined {
  if (!isPodReady(pod)) return undefined;
  const { conditions = [] } = pod.status;
  const ready = podReadyCondition(pod);
  const since = (condition: PodCondition | NodeCondition | undefined): number =>
    Date.parse(condition?.lastTransitionTime ?? '') || 0;
  if (readiness(node) !== 'Unknown' && since(ready) > since(nodeReadyCondition(node))) return undefined;
  const changed = conditions.map((one) =>
    one === ready ? { ...one, status: 'False', lastTransitionTime: timeOf(now) } : one,
  );
  return { ...pod.status, conditions: changed };
}
