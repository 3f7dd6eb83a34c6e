import type { PersistentVolumeClaim, PersistentVolumeClaimCondition } from '#lib/api/types/core.v1.ts';
import { findCondition, replaceCondition } from '#lib/machinery/conditions.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

/** The resource name of a claim's size. */
export const STORAGE = 'storage';

/** Conditions of a claim that describe its resize. */
const RESIZE_CONDITIONS = ['FileSystemResizePending', 'Resizing', 'ControllerResizeError', 'NodeResizeError'];

/** The resize status of a claim, or '' if none is in progress. */
export const resizeStatusOf = ({ status }: PersistentVolumeClaim): string =>
  status.allocatedResourceStatuses?.[STORAGE] ?? '';

/** The size of the volume that the claim reports, as a quantity. */
export const claimedSize = ({ status }: PersistentVolumeClaim): string => status.capacity?.[STORAGE] ?? '0';

/** The change of a claim's status when its node starts to expand the volume (upstream: MarkNodeExpansionInProgress). */
export const inProgress = (): JsonObject => ({ allocatedResourceStatuses: { [STORAGE]: 'NodeResizeInProgress' } });

/**
 * The change when the volume has its new size. It removes the resize status and conditions (upstream:
 * MarkNodeExpansionFinishedWithRecovery).
 */
export function finished({ status }: PersistentVolumeClaim, size: string): JsonObject {
  const others = Object.keys(status.allocatedResourceStatuses ?? {}).filter((name) => name !== STORAGE);
  return {
    capacity: { [STORAGE]: size },
    allocatedResourceStatuses: others.length === 0 ? null : { [STORAGE]: null },
    conditions: (status.conditions ?? []).filter(({ type }) => !RESIZE_CONDITIONS.includes(type)),
  };
}

/** The change when an attempt failed (upstream: MarkNodeExpansionFailedCondition). */
export const failed = (claim: PersistentVolumeClaim, reason: string, now: number): JsonObject => ({
  conditions: withCondition(claim, {
    type: 'NodeResizeError',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timeOf(now),
    message: `failed to expand pvc with ${reason}`,
  }),
});

/** The change when the volume can never reach the size. The controller continues from there (upstream: MarkNodeExpansionInfeasible). */
export const infeasible = (claim: PersistentVolumeClaim, reason: string, now: number): JsonObject => ({
  ...failed(claim, reason, now),
  allocatedResourceStatuses: { [STORAGE]: 'NodeResizeInfeasible' },
});

/** A claim's conditions with one more. An existing condition of the same type and status stays unchanged. */
function withCondition(
  { status }: PersistentVolumeClaim,
  added: PersistentVolumeClaimCondition,
): PersistentVolumeClaimCondition[] {
  const { conditions = [] } = status;
  return findCondition(conditions, added.type)?.status === added.status
    ? conditions
    : replaceCondition(conditions, added);
}
