import type { Pod } from '#lib/api/types/core.v1.ts';
import { isMirrorPod, isStaticPod } from './pod-update.ts';

const SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

/** Whether the node keeps the pod before others: a static pod, a mirror pod, or one of a system's priority (upstream: IsCriticalPod). */
export const isCriticalPod = (pod: Pod): boolean =>
  isStaticPod(pod) || isMirrorPod(pod) || (pod.spec.priority ?? 0) >= SYSTEM_CRITICAL_PRIORITY;

/** Whether the node needs the pod to work at all: a critical pod of the class `system-node-critical`. */
export const isNodeCriticalPod = (pod: Pod): boolean =>
  isCriticalPod(pod) && pod.spec.priorityClassName === 'system-node-critical';
