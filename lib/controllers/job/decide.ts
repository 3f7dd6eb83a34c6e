import type { Pod } from '#lib/api/types/core.v1.ts';
import { inDeletionOrder } from '../workload/deletion-order.ts';
import { type Backoff, remaining, remainingOfIndex } from './backoff.ts';
import { firstOutside, plus, union } from './indexes.ts';
import { indexOf } from './pod.ts';
import { type View, validIndex } from './view.ts';

/** The maximum number of pods that one reconciliation creates or deletes. */
const BURST = 500;

/** The work on the pods of a running job. */
export type Work =
  | { readonly do: 'nothing' }
  | { readonly do: 'delete'; readonly pods: readonly Pod[] }
  /** One pod for each index, undefined for pods without an index. */
  | { readonly do: 'create'; readonly indexes: readonly (number | undefined)[] }
  | { readonly do: 'wait'; readonly milliseconds: number };

const NOTHING: Work = { do: 'nothing' };

/** Upstream's manageJob: deletes or creates, never both in one reconciliation. */
export function decide(view: View, backoff: Backoff): Work {
  const { spec, active } = view;
  if (spec.isSuspended) return active.length === 0 ? NOTHING : { do: 'delete', pods: active };
  const wanted = wantedActive(view);
  const extra = superfluous(view, Math.max(0, active.length - wanted));
  if (extra.length > 0) return { do: 'delete', pods: extra.slice(0, BURST) };
  const ending = spec.replacesEndedOnly ? view.terminating.length : 0;
  const number = Math.min(BURST, wanted - ending - active.length);
  if (number <= 0) return NOTHING;
  if (view.failedIndexes !== undefined) return createByIndex(view, number);
  const milliseconds = remaining(backoff, view.now);
  if (milliseconds > 0) return { do: 'wait', milliseconds };
  const indexes = spec.isIndexed ? pendingIndexes(view, number) : Array.from({ length: number }, () => undefined);
  return indexes.length === 0 ? NOTHING : { do: 'create', indexes };
}

/** Without a completion count, one success stops the creation of pods. */
function wantedActive({ spec, active, succeeded }: View): number {
  const { completions, parallelism } = spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Each index has its own backoff. */
function createByIndex(view: View, number: number): Work {
  const waits = pendingIndexes(view, number).map((index) => ({
    index,
    wait: remainingOfIndex(view.kept.get(index), view.now),
  }));
  const indexes = waits.filter(({ wait }) => wait === 0).map(({ index }) => index);
  if (indexes.length > 0) return { do: 'create', indexes };
  return waits.length === 0 ? NOTHING : { do: 'wait', milliseconds: Math.min(...waits.map(({ wait }) => wait)) };
}

/** The first indexes without an active pod that are not finished. */
function pendingIndexes({ spec, active, terminating, completed, failedIndexes = [] }: View, number: number): number[] {
  const busy = spec.replacesEndedOnly ? [...active, ...terminating] : active;
  const indexes = busy.flatMap((pod) => indexOf(pod) ?? []);
  return firstOutside(union(plus(completed, indexes), failedIndexes), spec.completions ?? 0, number);
}

/** Surplus pods: duplicates of an index, pods with an index outside the job, then the pods that have progressed least. */
function superfluous(view: View, atLeast: number): readonly Pod[] {
  const { spec, active, now } = view;
  if (atLeast === 0 && (!spec.isIndexed || eachHasItsIndex(view))) return [];
  const inOrder = inDeletionOrder(active, [], now);
  if (!spec.isIndexed) return inOrder.slice(0, atLeast);
  const last = new Map(inOrder.map((pod) => [validIndex(pod, spec), pod]));
  const isLeft = (pod: Pod): boolean => {
    const index = validIndex(pod, spec);
    return index !== undefined && last.get(index) === pod;
  };
  const wrong = inOrder.filter((pod) => !isLeft(pod));
  return [...wrong, ...inOrder.filter(isLeft).slice(0, Math.max(0, atLeast - wrong.length))];
}

function eachHasItsIndex({ spec, active }: View): boolean {
  const indexes = new Set(active.map((pod) => validIndex(pod, spec)));
  return indexes.size === active.length && !indexes.has(undefined);
}
