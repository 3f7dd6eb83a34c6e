import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { updatePodCondition } from './update-pod-condition.ts';

/** The reason why a pod is about to be terminated, as reported in its condition. */
export interface Disruption {
  readonly reason: string;
  readonly message: string;
}

/**
 * The conditions of a pod with DisruptionTarget set, which announces its termination (KEP-3329). Returns the same list if the pod already
 * has the condition for the same reason. `now` is in ms since 1970.
 */
export function withDisruptionTarget(
  pod: Pod,
  conditions: PodCondition[] | undefined,
  disruption: Disruption,
  now: number,
): PodCondition[] {
  const condition = { type: 'DisruptionTarget', observedGeneration: generationOf(pod), status: 'True', ...disruption };
  return updatePodCondition(conditions, condition, now);
}
