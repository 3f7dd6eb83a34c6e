import type { Job, JobStatus } from '#lib/api/types/batch.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { isPodActive, isPodTerminating, phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { verdictOn } from './failure-policy.ts';
import { has, type Indexes, numberOf, plus, readIndexes } from './indexes.ts';
import { endedAt, failuresBefore, ignoredFailuresBefore, indexOf, isFailed, isTracked } from './pod.ts';
import { type JobSpec, specOf } from './spec.ts';

/** A job and its pods, as they were read, and the numbers derived from them. */
export interface View {
  readonly job: Job;
  readonly spec: JobSpec;
  readonly status: JobStatus;
  /** The pods, ordered by index if they have one. */
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: readonly Pod[];
  /** Pods that ended but are neither counted nor recorded for counting. */
  readonly fresh: { readonly succeeded: readonly Pod[]; readonly failed: readonly Pod[] };
  /** The number of successes and failures, including those recorded for counting. */
  readonly succeeded: number;
  readonly failed: number;
  /** The indexes that have succeeded, for an indexed job. */
  readonly completed: Indexes;
  /** Undefined if the job has no backoff limit per index. */
  readonly failedIndexes: Indexes | undefined;
  /** The failed pod of each index that waits for a new one. It is kept until the new pod carries its failure count. */
  readonly kept: ReadonlyMap<number, Pod>;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** Computes the view of a job. `owned` are the pods that it controls. `now` is in ms since 1970. */
export function viewOf(job: Job, owned: readonly Pod[], now: number): View {
  const spec = specOf(job);
  const { status } = job;
  const pods = spec.isIndexed ? owned.toSorted((a, b) => (indexOf(a) ?? -1) - (indexOf(b) ?? -1)) : owned;
  const valid = pods.filter((pod) => isTracked(pod) && (!spec.isIndexed || validIndex(pod, spec) !== undefined));
  const { succeeded: succeededUids = [], failed: failedUids = [] } = status.uncountedTerminatedPods ?? {};
  const succeeded = valid.filter((pod) => phaseOf(pod) === 'Succeeded' && !succeededUids.includes(uidOf(pod)));
  const failed = valid.filter((pod) => isFailed(pod, spec) && !failedUids.includes(uidOf(pod)));
  const counting = failed.filter((pod) => verdictOn(pod, spec.failureRules).counts);
  const indexes = spec.isIndexed ? indexesOf(status, spec, valid) : NO_INDEXES;
  const active = pods.filter(isPodActive);
  return {
    ...indexes,
    job,
    spec,
    status,
    pods,
    active,
    now,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating),
    fresh: { succeeded, failed },
    succeeded: spec.isIndexed
      ? numberOf(indexes.completed)
      : (status.succeeded ?? 0) + succeeded.length + succeededUids.length,
    failed: (status.failed ?? 0) + counting.length + failedUids.length,
    kept: keptOf({ ...indexes, active, spec }, valid),
  };
}

type IndexesOf = Pick<View, 'completed' | 'failedIndexes'>;
const NO_INDEXES: IndexesOf = { completed: [], failedIndexes: undefined };

/** The pod's index if it is (still) in the job's range. */
export function validIndex(pod: Pod, { completions = 0 }: JobSpec): number | undefined {
  const index = indexOf(pod);
  return index !== undefined && index < completions ? index : undefined;
}

function indexesOf(status: JobStatus, spec: JobSpec, valid: readonly Pod[]): IndexesOf {
  const { completions = 0, backoffLimitPerIndex } = spec;
  const indexes = (pods: readonly Pod[]): number[] => pods.flatMap((pod) => indexOf(pod) ?? []);
  const written = readIndexes(status.completedIndexes ?? '', completions);
  const failed = readIndexes(status.failedIndexes ?? '', completions);
  return {
    completed: plus(written, indexes(valid.filter((pod) => phaseOf(pod) === 'Succeeded'))),
    failedIndexes:
      backoffLimitPerIndex === undefined
        ? undefined
        : plus(failed, indexes(valid.filter((pod) => failsIndex(pod, spec, backoffLimitPerIndex)))),
  };
}

function failsIndex(pod: Pod, spec: JobSpec, limit: number): boolean {
  if (!isFailed(pod, spec)) return false;
  const verdict = verdictOn(pod, spec.failureRules);
  return verdict.failsIndex || (verdict.counts && failuresBefore(pod) >= limit);
}

type IndexedPods = Pick<View, 'completed' | 'failedIndexes' | 'active' | 'spec'>;

function keptOf({ completed, failedIndexes, active, spec }: IndexedPods, valid: readonly Pod[]): View['kept'] {
  const kept = new Map<number, Pod>();
  if (failedIndexes === undefined) return kept;
  const busy = new Set(active.map(indexOf));
  for (const pod of valid.filter((one) => isFailed(one, spec))) {
    const index = indexOf(pod);
    if (index === undefined || busy.has(index) || has(completed, index) || has(failedIndexes, index)) continue;
    const other = kept.get(index);
    if (other === undefined || isLater(pod, other)) kept.set(index, pod);
  }
  return kept;
}

const attempts = (pod: Pod): number => failuresBefore(pod) + ignoredFailuresBefore(pod);

const isLater = (pod: Pod, other: Pod): boolean => attempts(pod) >= attempts(other) && endedAt(pod) >= endedAt(other);
