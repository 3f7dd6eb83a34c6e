import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { count, texts } from '#lib/machinery/unstructured.ts';
import { phaseOf } from '../workload/pod.ts';
import type { End } from './end.ts';
import { verdictOn } from './failure-policy.ts';
import { indexesText, numberOf } from './indexes.ts';
import { indexOf, isFailed, isTracked } from './pod.ts';
import { validIndex, type View } from './view.ts';

/** Uids that a status holds at most: they take some 20 kB. */
const MOST = 500;
const UNCOUNTED = 'uncountedTerminatedPods';

/** What is written before pods are let go, and who is let go behind that. */
export interface Tracked {
  readonly status: JsonObject;
  readonly release: readonly JsonObject[];
  /** Whether some are left for another turn. */
  readonly isPartial: boolean;
}

/**
 * Counts pods in two writes, as KEP-2307 has it: their uids are written down, they lose the finalizer, and uids of pods without it
 * become numbers. Whoever dies in between loses no pod and counts none twice. Indexes that succeeded need no uids.
 */
export function track(view: View, status: JsonObject, end: End | undefined): Tracked {
  const { pods, spec } = view;
  const tracked = pods.filter(isTracked);
  const settled = settle(status, new Set(tracked.map(uidOf)));
  const uncounted = objectAt(settled, UNCOUNTED);
  const succeeded = new Set(texts(uncounted, 'succeeded'));
  const failed = new Set(texts(uncounted, 'failed'));
  const indexes = new Set<number>();
  const release: JsonObject[] = [];
  let isPartial = false;
  for (const pod of tracked.filter((one) => mayGo(view, one, end))) {
    const uid = uidOf(pod);
    const isKnown = succeeded.has(uid) || failed.has(uid);
    isPartial ||= !isKnown && indexes.size + succeeded.size + failed.size >= MOST;
    if (!isKnown && isPartial) continue;
    release.push(pod);
    const index = spec.isIndexed ? validIndex(pod, spec) : undefined;
    if (isKnown || (spec.isIndexed && index === undefined)) continue;
    if (phaseOf(pod) !== 'Succeeded') {
      if (countsAsFailed(view, pod, end)) failed.add(uid);
    } else if (index === undefined) succeeded.add(uid);
    else indexes.add(index);
  }
  const uids = uncountedOf([...succeeded], [...failed]);
  return { status: { ...settled, [UNCOUNTED]: uids, ...indexFields(view) }, release, isPartial };
}

/** A pod goes when it has ended, and all go with the job; of an index that waits for a new pod the last one stays. */
function mayGo({ job, spec, kept }: View, pod: JsonObject, end: End | undefined): boolean {
  if (isDeleting(job) || end !== undefined || phaseOf(pod) === 'Succeeded') return true;
  if (!isFailed(pod, spec)) return false;
  const index = indexOf(pod);
  return index === undefined || kept.get(index) !== pod;
}

/** With a job that fails, every pod has failed that has not succeeded. */
function countsAsFailed({ spec }: View, pod: JsonObject, end: End | undefined): boolean {
  if (!isFailed(pod, spec) && end?.type !== 'Failed') return false;
  return verdictOn(pod, spec.failureRules).counts;
}

function indexFields({ spec, completed, failedIndexes }: View): JsonObject {
  if (!spec.isIndexed) return {};
  return {
    succeeded: numberOf(completed),
    completedIndexes: indexesText(completed),
    ...(failedIndexes === undefined ? {} : { failedIndexes: indexesText(failedIndexes) }),
  };
}

/** Uids of pods that are not tracked any more become numbers. */
export function settle(status: JsonObject, tracked: ReadonlySet<string>): JsonObject {
  const uncounted = objectAt(status, UNCOUNTED);
  const counts: JsonObject = {};
  const left = (field: string): string[] => {
    const uids = texts(uncounted, field);
    const others = uids.filter((uid) => tracked.has(uid));
    counts[field] = Number(count(status, field)) + uids.length - others.length;
    return others;
  };
  const uids = uncountedOf(left('succeeded'), left('failed'));
  return { ...status, ...counts, [UNCOUNTED]: uids };
}

const uncountedOf = (succeeded: string[], failed: string[]): JsonObject => ({
  ...(succeeded.length === 0 ? {} : { succeeded }),
  ...(failed.length === 0 ? {} : { failed }),
});

export const isSettled = (status: JsonObject): boolean => Object.keys(objectAt(status, UNCOUNTED) ?? {}).length === 0;
