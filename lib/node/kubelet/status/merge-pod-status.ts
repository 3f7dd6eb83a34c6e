import type { Pod, PodCondition, PodStatus } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { findCondition, isConditionTrue, replaceCondition, transitioned } from '#lib/machinery/conditions.ts';
import { isConditionByKubelet } from './conditions.ts';
import { conditionsForTerminalPhase } from './generate.ts';

/** The inputs of a merge. */
export interface MergeFacts {
  /** Whether containers of the pod may be running, in which case it is not shown as terminated yet. */
  readonly couldHaveRunningContainers: boolean;
  /** The current time as a metav1.Time. */
  readonly now: string;
}

/**
 * The status to write over the API's. It keeps the conditions of other writers and the statuses of claims. A terminal phase waits until no
 * container runs (upstream: mergePodStatus). Does not change its inputs.
 */
export function mergePodStatus(
  pod: Pod,
  held: PodStatus,
  fresh: PodStatus,
  { couldHaveRunningContainers, now }: MergeFacts,
): PodStatus {
  const isEnding = !isPodPhaseTerminal(held.phase) && isPodPhaseTerminal(fresh.phase);
  const merged: PodStatus = { ...fresh };
  for (const field of CLAIMS) delete merged[field];
  const { resourceClaimStatuses, extendedResourceClaimStatus, nodeAllocatableResourceClaimStatuses } = held;
  if (resourceClaimStatuses !== undefined) merged.resourceClaimStatuses = resourceClaimStatuses;
  if (extendedResourceClaimStatus !== undefined) merged.extendedResourceClaimStatus = extendedResourceClaimStatus;
  if (nodeAllocatableResourceClaimStatuses !== undefined)
    merged.nodeAllocatableResourceClaimStatuses = nodeAllocatableResourceClaimStatuses;
  merged.conditions = conditionsOf(held, fresh, isEnding && !couldHaveRunningContainers, now);
  if (isEnding && couldHaveRunningContainers)
    for (const field of ['phase', 'reason', 'message'] as const) keep(merged, field, held[field]);
  if (!isPodPhaseTerminal(merged.phase)) return merged;
  const isReady = ['Ready', 'ContainersReady'].some((type) => isConditionTrue(merged.conditions, type));
  if (isReady)
    for (const condition of conditionsForTerminalPhase(pod, merged.phase))
      merged.conditions = replaceCondition(merged.conditions, timed(condition, held, now));
  return merged;
}

const CLAIMS = [
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'nodeAllocatableResourceClaimStatuses',
] as const;

function conditionsOf(held: PodStatus, fresh: PodStatus, hasEnded: boolean, now: string): PodCondition[] {
  const foreign = (held.conditions ?? []).filter(({ type }) => !isConditionByKubelet(type));
  const own = (fresh.conditions ?? []).filter(({ type }) => isConditionByKubelet(type));
  const disruption = findCondition(fresh.conditions, 'DisruptionTarget');
  const all = [...foreign, ...own];
  return hasEnded && disruption !== undefined ? replaceCondition(all, timed(disruption, held, now)) : all;
}

/** The condition with its transition time, which stays the same if the status did not change. `now` is a metav1.Time. */
export const timed = (condition: PodCondition, old: PodStatus, now: string): PodCondition =>
  transitioned({ ...condition, lastTransitionTime: now }, findCondition(old.conditions, condition.type));

function keep(status: PodStatus, field: 'phase' | 'reason' | 'message', value: string | undefined): void {
  if (value === undefined) delete status[field];
  else status[field] = value;
}
