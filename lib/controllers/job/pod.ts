import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, deletionTimeOf, finalizersOf, isDeleting } from '#lib/machinery/meta.ts';
import { at, count, items, text } from '#lib/machinery/unstructured.ts';
import { phaseOf } from '../workload/pod.ts';
import type { JobSpec } from './spec.ts';

/** Holds a pod until its end is counted. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';
export const INDEX = 'batch.kubernetes.io/job-completion-index';
export const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
export const IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';
const INT32_MAX = 2 ** 31 - 1;

export const isTracked = (pod: JsonObject): boolean => finalizersOf(pod).includes(TRACKING);

/** The pod's index, whether or not the job has it; undefined where it tells none. */
export function indexOf(pod: JsonObject): number | undefined {
  const value = annotationsOf(pod)[INDEX] ?? '';
  return /^\+?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** What succeeded or failed for good, or is taken for it: a pod that is ending counts at once unless the job waits for its end. */
export const isFailed = (pod: JsonObject, { replacesEndedOnly }: JobSpec): boolean =>
  phaseOf(pod) === 'Failed' || (!replacesEndedOnly && isDeleting(pod) && phaseOf(pod) !== 'Succeeded');

/** How often the index had failed before this pod, as far as that counts. */
export const failuresBefore = (pod: JsonObject): number => int32(annotationsOf(pod)[FAILURES]);

export const ignoredFailuresBefore = (pod: JsonObject): number => int32(annotationsOf(pod)[IGNORED_FAILURES]);

/** Users can write annotations as well. */
function int32(value = ''): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : 0;
  return number <= INT32_MAX ? number : 0;
}

/** When a pod ended, in milliseconds since 1970, as nearly as it tells: upstream's getFinishedTime. */
export function endedAt(pod: JsonObject): number {
  return byContainers(pod) ?? byReadiness(pod) ?? byDeletion(pod) ?? creationTimeOf(pod)?.getTime() ?? 0;
}

/** The last container's end, where all have ended; sidecars end after the others. */
function byContainers(pod: JsonObject): number | undefined {
  const status = objectAt(pod, 'status');
  const sidecars = new Set(
    items(objectAt(pod, 'spec'), 'initContainers')
      .filter((one) => text(one, 'restartPolicy') === 'Always')
      .map((one) => text(one, 'name')),
  );
  const initial = items(status, 'initContainerStatuses').filter((one) => sidecars.has(text(one, 'name')));
  const ends = [...items(status, 'containerStatuses'), ...initial].map((one) =>
    milliseconds(stringAt(at(one, 'state', 'terminated'), 'finishedAt')),
  );
  return ends.length === 0 || ends.includes(undefined) ? undefined : Math.max(...ends.map(Number));
}

function byReadiness(pod: JsonObject): number | undefined {
  const ready = items(objectAt(pod, 'status'), 'conditions').find((one) => text(one, 'type') === 'Ready');
  return text(ready, 'status') === 'False' ? milliseconds(stringAt(ready, 'lastTransitionTime')) : undefined;
}

function byDeletion(pod: JsonObject): number | undefined {
  const grace = Number(count(objectAt(pod, 'metadata'), 'deletionGracePeriodSeconds'));
  const deleted = deletionTimeOf(pod)?.getTime();
  return deleted === undefined ? undefined : deleted - grace * 1000;
}

function milliseconds(time: string | undefined): number | undefined {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? undefined : parsed;
}
