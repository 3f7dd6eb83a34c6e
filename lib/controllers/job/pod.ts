import type { Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { annotationsOf, creationTimeOf, deletionTimeOf, finalizersOf, isDeleting } from '#lib/machinery/meta.ts';
import { phaseOf } from '../workload/pod.ts';
import type { JobSpec } from './spec.ts';

/** The finalizer that holds a pod until its end is counted. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';
/** On a pod of an indexed job: its index. */
export const INDEX = 'batch.kubernetes.io/job-completion-index';
/** On a pod: the failures of its index before it that count. */
export const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
/** On a pod: the failures of its index before it that the failure policy ignores. */
export const IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';
const INT32_MAX = 2 ** 31 - 1;

/** Whether a pod is yet to be counted. */
export const isTracked = (pod: Pod): boolean => finalizersOf(pod).includes(TRACKING);

/** The pod's index, whether or not the job has it; undefined where it tells none. */
export function indexOf(pod: Pod): number | undefined {
  const value = annotationsOf(pod)[INDEX] ?? '';
  return /^\+?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Whether a pod failed for good, or is taken for it: a pod that is ending counts at once unless the job waits for its end. */
export const isFailed = (pod: Pod, { replacesEndedOnly }: JobSpec): boolean =>
  phaseOf(pod) === 'Failed' || (!replacesEndedOnly && isDeleting(pod) && phaseOf(pod) !== 'Succeeded');

/** How often the index had failed before this pod, as far as that counts. */
export const failuresBefore = (pod: Pod): number => int32(annotationsOf(pod)[FAILURES]);

/** How often the index had failed before this pod, as far as the failure policy ignores it. */
export const ignoredFailuresBefore = (pod: Pod): number => int32(annotationsOf(pod)[IGNORED_FAILURES]);

/** Users can write annotations as well. */
function int32(value = ''): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : 0;
  return number <= INT32_MAX ? number : 0;
}

/** The time at which a pod ended, in milliseconds since 1970, as nearly as it tells: upstream's getFinishedTime. */
export function endedAt(pod: Pod): number {
  return byContainers(pod) ?? byReadiness(pod) ?? byDeletion(pod) ?? creationTimeOf(pod)?.getTime() ?? 0;
}

/** The last container's end, where all have ended; sidecars end after the others. */
function byContainers({ spec: { initContainers = [] }, status }: Pod): number | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const sidecars = new Set(initContainers.filter(isSidecar).map(({ name }) => name));
  const initial = initContainerStatuses.filter(({ name }) => sidecars.has(name));
  const ends = [...containerStatuses, ...initial].map(({ state }) => milliseconds(state.terminated?.finishedAt));
  return ends.length === 0 || ends.includes(undefined) ? undefined : Math.max(...ends.map(Number));
}

function byReadiness({ status }: Pod): number | undefined {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
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
