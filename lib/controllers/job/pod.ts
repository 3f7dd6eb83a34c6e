import type { Pod } from '#lib/api/types/core.v1.ts';
import { phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { podReadyCondition } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { annotationsOf, creationTimeOf, deletionTimeOf, finalizersOf, isDeleting } from '#lib/machinery/meta.ts';
import type { JobSpec } from './spec.ts';

/** The finalizer that keeps a pod until its end is counted. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';
/** The annotation of a pod of an indexed job with its index. */
export const INDEX = 'batch.kubernetes.io/job-completion-index';
/** The annotation of a pod with the earlier failures of its index that count. */
export const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
/** The annotation of a pod with the earlier failures of its index that the failure policy ignores. */
export const IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';

/** Whether a pod has not been counted yet. */
export const isTracked = (pod: Pod): boolean => finalizersOf(pod).includes(TRACKING);

/** The pod's index, even if it is outside the job's range. Undefined if the pod has none. */
export function indexOf(pod: Pod): number | undefined {
  const value = annotationsOf(pod)[INDEX] ?? '';
  return /^\+?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Whether a pod failed or counts as failed. A terminating pod counts at once, unless the job waits for its end. */
export const isFailed = (pod: Pod, { replacesEndedOnly }: JobSpec): boolean =>
  phaseOf(pod) === 'Failed' || (!replacesEndedOnly && isDeleting(pod) && phaseOf(pod) !== 'Succeeded');

/** The number of earlier failures of the index that count. */
export const failuresBefore = (pod: Pod): number => int32(annotationsOf(pod)[FAILURES]);

/** The number of earlier failures of the index that the failure policy ignores. */
export const ignoredFailuresBefore = (pod: Pod): number => int32(annotationsOf(pod)[IGNORED_FAILURES]);

/** Users can write these annotations too. */
function int32(value = ''): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : 0;
  return number <= MAX_INT32 ? number : 0;
}

/** The best known time at which a pod ended, in ms since 1970: upstream's getFinishedTime. */
export function endedAt(pod: Pod): number {
  return byContainers(pod) ?? byReadiness(pod) ?? byDeletion(pod) ?? creationTimeOf(pod)?.getTime() ?? 0;
}

/** The end of the last container if all have ended. Sidecars end after the others. */
function byContainers({ spec: { initContainers = [] }, status }: Pod): number | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const sidecars = new Set(initContainers.filter(isSidecar).map(({ name }) => name));
  const initial = initContainerStatuses.filter(({ name }) => sidecars.has(name));
  const ends = [...containerStatuses, ...initial].map(({ state }) => milliseconds(state.terminated?.finishedAt));
  return ends.length === 0 || ends.includes(undefined) ? undefined : Math.max(...ends.map(Number));
}

function byReadiness(pod: Pod): number | undefined {
  const ready = podReadyCondition(pod);
  return ready?.status === 'False' ? milliseconds(ready.lastTransitionTime) : undefined;
}

function byDeletion(pod: Pod): number | undefined {
  const grace = Number(pod.metadata.deletionGracePeriodSeconds ?? 0);
  const deleted = deletionTimeOf(pod)?.getTime();
  return deleted === undefined ? undefined : deleted - grace * 1000;
}

function milliseconds(time: string | null | undefined): number | undefined {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? undefined : parsed;
}
