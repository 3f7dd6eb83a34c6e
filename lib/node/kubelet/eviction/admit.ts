import type { Pod } from '#lib/api/types/core.v1.ts';
import { tolerated } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import type { PodAdmitResult } from '../lifecycle/pod-admit.ts';
import { qosClassOf } from '../qos/policy.ts';
import { isCriticalPod } from '../types/critical-pod.ts';
import type { PressureCondition } from './signals.ts';

/** The reason of pods that were evicted, or rejected because of node pressure. */
export const EVICTED = 'Evicted';

const MEMORY_TAINT = { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' };

/**
 * Whether a node under these pressures admits a pod. It always admits critical pods. If only memory is under pressure, it admits pods that
 * request resources or tolerate the pressure (upstream: managerImpl.Admit).
 */
export function admitUnderPressure(pod: Pod, conditions: readonly PressureCondition[]): PodAdmitResult {
  if (conditions.length === 0 || isCriticalPod(pod)) return { admit: true };
  const isMemoryAlone = conditions.every((condition) => condition === 'MemoryPressure');
  const isPlain = qosClassOf(pod) === 'BestEffort' && !tolerated(MEMORY_TAINT, pod.spec.tolerations ?? []);
  if (isMemoryAlone && !isPlain) return { admit: true };
  return { admit: false, reason: EVICTED, message: `The node had condition: [${conditions.join(' ')}]. ` };
}
