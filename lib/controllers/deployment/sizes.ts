import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { replicasOf } from '../replicaset/decide.ts';
import { isRolling, leastAvailable, mostReplicas } from './limits.ts';
import { byAge, countedBy, DESIRED, MAXIMUM } from './revisions.ts';

/** The target size of a set. */
export interface Sizing {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/** The number of a set's pods that are available. */
export const availableOf = ({ status }: ReplicaSet): number => status.availableReplicas ?? 0;

const total = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((sum, set) => sum + of(set), 0);

/** Whether a set wants any pods. */
export const isActive = (set: ReplicaSet): boolean => replicasOf(set) > 0;

const changed = (sizings: readonly Sizing[]): readonly Sizing[] =>
  sizings.filter(({ set, replicas }) => replicasOf(set) !== replicas);

/** The size of the newest set during an update: upstream's NewRSNewReplicas. `size` is its current size. */
export function newSize(deployment: Deployment, sets: readonly ReplicaSet[], size: number): number {
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment) || size > wanted) return wanted;
  const room = mostReplicas(deployment) - total(sets, replicasOf);
  return room <= 0 ? size : size + Math.min(room, wanted - size);
}

/**
 * The smaller sizes of old sets in one step of an update. It first removes unavailable pods, then as many others as the minimum
 * availability allows. Unavailable pods of the newest set reduce the number of pods to remove.
 */
export function shrinkOld(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): readonly Sizing[] {
  const active = old.filter(isActive).toSorted(byAge);
  const all = [...active, current];
  const missing = replicasOf(current) - availableOf(current);
  const most = total(all, replicasOf) - leastAvailable(deployment) - missing;
  if (active.length === 0 || most <= 0) return [];
  const cleaned = shrink(
    active.map((set) => ({ set, replicas: replicasOf(set) })),
    most,
    ({ set, replicas }) => Math.max(0, replicas - availableOf(set)),
  );
  const spare = total(all, availableOf) - leastAvailable(deployment);
  return changed(shrink(cleaned, spare, ({ replicas }) => replicas));
}

/** Removes up to `most` pods in total, and from each set at most the number that `from` allows. */
function shrink(sizings: readonly Sizing[], most: number, from: (sizing: Sizing) => number): readonly Sizing[] {
  let left = Math.max(0, most);
  return sizings.map((sizing) => {
    const taken = Math.min(left, from(sizing));
    left -= taken;
    return { ...sizing, replicas: sizing.replicas - taken };
  });
}

/** The size 0 for every set that wants pods. */
export const none = (sets: readonly ReplicaSet[]): readonly Sizing[] =>
  sets.filter(isActive).map((set) => ({ set, replicas: 0 }));

/** Whether an active set was sized for another number of replicas than is wanted now. */
export const isScaling = (deployment: Deployment, sets: readonly ReplicaSet[]): boolean =>
  sets.filter(isActive).some((set) => {
    const desired = countedBy(set, DESIRED);
    return desired !== undefined && desired !== replicasOf(deployment);
  });

/**
 * The sizes after the deployment's size changed, or while it is paused. A single active set gets all replicas, or the newest set if none is
 * active. Several sets share the difference in proportion to their sizes. Sets are ordered from old to new. `annotate` is true if sets that
 * keep their size also need the annotations with the deployment's size.
 */
export function scaleAll(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): { readonly sizings: readonly Sizing[]; readonly annotate: boolean } {
  const wanted = replicasOf(deployment);
  const sets = current === undefined ? old : [...old, current];
  const active = sets.filter(isActive);
  const only = active.length === 0 ? (current ?? old.at(-1)) : active.length === 1 ? active[0] : undefined;
  if (active.length < 2)
    return { sizings: only === undefined ? [] : changed([{ set: only, replicas: wanted }]), annotate: false };
  if (current !== undefined && isSaturated(deployment, current)) return { sizings: none(old), annotate: false };
  if (!isRolling(deployment)) return { sizings: [], annotate: false };
  return { sizings: proportional(deployment, active), annotate: true };
}

const isSaturated = (deployment: Deployment, set: ReplicaSet): boolean =>
  [replicasOf(set), Number(annotationsOf(set)[DESIRED] ?? NaN), availableOf(set)].every(
    (number) => number === replicasOf(deployment),
  );

function proportional(deployment: Deployment, active: readonly ReplicaSet[]): readonly Sizing[] {
  const allowed = replicasOf(deployment) > 0 ? mostReplicas(deployment) : 0;
  const toAdd = allowed - total(active, replicasOf);
  const age = toAdd > 0 ? (a: ReplicaSet, b: ReplicaSet) => byAge(b, a) : byAge;
  const sorted = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || age(a, b));
  let left = toAdd;
  const sizings = sorted.map((set) => {
    const share = left === 0 ? 0 : nearer(fraction(deployment, set), left);
    left -= share;
    return { set, replicas: replicasOf(set) + share };
  });
  return sizings.map((sizing, i) => (i === 0 ? { ...sizing, replicas: Math.max(0, sizing.replicas + left) } : sizing));
}

/** Limits a share to the number left to add or remove. */
const nearer = (share: number, left: number): number => (left > 0 ? Math.min(share, left) : Math.max(share, left));

/** A set's share of the change, relative to the deployment's maximum replicas when the set was sized. */
function fraction(deployment: Deployment, set: ReplicaSet): number {
  const size = replicasOf(set);
  if (replicasOf(deployment) === 0) return -size;
  const before = countedBy(set, MAXIMUM) || (deployment.status.replicas ?? 0);
  return before === 0 ? 0 : roundAway((size * mostReplicas(deployment)) / before) - size;
}

const roundAway = (value: number): number => (value < 0 ? -Math.floor(-value + 0.5) : Math.floor(value + 0.5));
