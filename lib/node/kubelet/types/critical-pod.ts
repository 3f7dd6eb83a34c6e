import type { Pod } from '#lib/api/types/core.v1.ts';
import { isMirrorPod } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { isStaticPod } from './pod-update.ts';

const SYSTEM_CRITICAL_PRIORITY = 2_000_000_000;

/** Whether the node prefers the pod over others: a static pod, a mirror pod, or one with a system priority (upstream: IsCriticalPod). */
export const isCriticalPod = (pod: Pod): boolean =>
  isStaticPod(pod) || isMirrorPod(pod) || (pod.spec.priority ?? 0) >= SYSTEM_CRITICAL_PRIORITY;

/** Whether the node cannot work without the pod: a critical pod of the class `system-node-critical`. */
export const isNodeCriticalPod = (pod: Pod): boolean =>
  isCriticalPod(pod) && pod.spec.priorityClassName === 'system-node-critical';
