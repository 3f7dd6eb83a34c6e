import type { JobStatus, UncountedTerminatedPods } from '#lib/api/types/batch.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { defined } from '#lib/machinery/defined.ts';
import { hasNoField } from '#lib/machinery/json-value.ts';
import { isDeleting, uidOf } from '#lib/machinery/meta.ts';
import type { End } from './end.ts';
import { verdictOn } from './failure-policy.ts';
import { indexesText, numberOf } from './indexes.ts';
import { indexOf, isFailed, isTracked } from './pod.ts';
import { type View, validIndex } from './view.ts';

/** The maximum number of uids in a status. They take about 20 kB. */
const MOST = 500;

/** The status to write before pods are released, and the pods to release afterwards. */
export interface Tracked {
  readonly status: JobStatus;
  readonly release: readonly Pod[];
  /** Whether some pods are left for another reconciliation. */
  readonly isPartial: boolean;
}

/**
 * Counts pods in two writes, as in KEP-2307: the uids of ended pods are recorded, the pods lose the finalizer, and uids of pods without it
 * are added to the counts. A process that crashes in between loses no pod and counts none twice. Indexes that succeeded need no uids.
 */
export function track(view: View, status: JobStatus, end: End | undefined): Tracked {
  const { pods, spec } = view;
  const tracked = pods.filter(isTracked);
  const settled = settle(status, new Set(tracked.map(uidOf)));
  const succeeded = new Set(settled.uncountedTerminatedPods?.succeeded);
  const failed = new Set(settled.uncountedTerminatedPods?.failed);
  const indexes = new Set<number>();
  const release: Pod[] = [];
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
  const uncountedTerminatedPods = uncountedOf([...succeeded], [...failed]);
  return { status: { ...settled, uncountedTerminatedPods, ...indexFields(view) }, release, isPartial };
}

/**
 * Whether a pod may be released. It may if it has ended, or if the job ends. The last failed pod of an index that waits for a new pod
 * stays.
 */
function mayGo({ job, spec, kept }: View, pod: Pod, end: End | undefined): boolean {
  if (isDeleting(job) || end !== undefined || phaseOf(pod) === 'Succeeded') return true;
  if (!isFailed(pod, spec)) return false;
  const index = indexOf(pod);
  return index === undefined || kept.get(index) !== pod;
}

/** If the job fails, every pod that has not succeeded counts as failed. */
function countsAsFailed({ spec }: View, pod: Pod, end: End | undefined): boolean {
  if (!isFailed(pod, spec) && end?.type !== 'Failed') return false;
  return verdictOn(pod, spec.failureRules).counts;
}

function indexFields({ spec, completed, failedIndexes }: View): JobStatus {
  if (!spec.isIndexed) return {};
  return {
    succeeded: numberOf(completed),
    completedIndexes: indexesText(completed),
    ...defined({ failedIndexes: failedIndexes && indexesText(failedIndexes) }),
  };
}

/** Moves the uids of pods that are no longer tracked into the counts. */
export function settle(status: JobStatus, tracked: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = (uids: readonly string[]): string[] => uids.filter((uid) => tracked.has(uid));
  const [succeededLeft, failedLeft] = [left(succeeded), left(failed)];
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - succeededLeft.length,
    failed: (status.failed ?? 0) + failed.length - failedLeft.length,
    uncountedTerminatedPods: uncountedOf(succeededLeft, failedLeft),
  };
}

const uncountedOf = (succeeded: string[], failed: string[]): UncountedTerminatedPods =>
  defined({
    succeeded: succeeded.length === 0 ? undefined : succeeded,
    failed: failed.length === 0 ? undefined : failed,
  });

/** Whether every pod that ended is in a count. */
export const isSettled = ({ uncountedTerminatedPods = {} }: JobStatus): boolean => hasNoField(uncountedTerminatedPods);
