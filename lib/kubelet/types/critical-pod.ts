import type { Pod } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';

const SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

/** Whether the node keeps the pod before others: a static pod, a mirror pod, or one of a system's priority (upstream: IsCriticalPod). */
export function isCriticalPod({ metadata: { annotations }, spec }: Pod): boolean {
  const source = ownField(annotations, 'kubernetes.io/config.source');
  const isStatic = source !== undefined && source !== 'api';
  const isMirror = ownField(annotations, 'kubernetes.io/config.mirror') !== undefined;
  return isStatic || isMirror || (spec.priority ?? 0) >= SYSTEM_CRITICAL_PRIORITY;
}

/** Whether the node needs the pod to work at all: a critical pod of the class `system-node-critical`. */
export const isNodeCriticalPod = (pod: Pod): boolean =>
  isCriticalPod(pod) && pod.spec.priorityClassName === 'system-node-critical';
