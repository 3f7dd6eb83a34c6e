import type { StatefulSet } from '#lib/api/types/apps.v1.ts';
import type { PersistentVolumeClaim, Pod } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import { isPodAvailable } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { minReadySecondsOf, replicasOf } from '../replicaset/decide.ts';
import { claimName, claimTemplates, ordinalOf, startOf } from './identity.ts';
import type { Counted } from './status.ts';

/** The maximum number of pods that one reconciliation creates. */
const BURST = 500;

/** The input of all decisions about a set. */
export interface Observed extends Counted {
  /** The claims by name, as listed by `claimsToRead`. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  /** The owner reference of the set's pods. */
  readonly reference: OwnerReference;
}

/** A set with its pods by ordinal. */
export interface View extends Observed {
  readonly byOrdinal: ReadonlyMap<number, Pod>;
  /** Pods beyond the wanted size, the highest first. */
  readonly condemned: readonly { readonly pod: Pod; readonly ordinal: number }[];
}

/** Whether pods are created and deleted one at a time, each only when those before it are available. Otherwise all at once. */
export const isOrdered = ({ spec }: StatefulSet): boolean => spec.podManagementPolicy !== 'Parallel';

/** Whether the set wants a pod of this ordinal. */
export const isWanted = (set: StatefulSet, ordinal: number): boolean =>
  ordinal >= startOf(set) && ordinal < startOf(set) + replicasOf(set);

/** The number of lowest ordinals that an update leaves alone. */
export const partitionOf = ({ spec: { updateStrategy } }: StatefulSet): number =>
  updateStrategy.rollingUpdate?.partition ?? 0;

/** Pods by their ordinals, without those whose names do not belong to this set. */
export function podsByOrdinal(set: StatefulSet, pods: readonly Pod[]): Map<number, Pod> {
  const placed = pods.map((pod) => [ordinalOf(set, pod), pod] as const);
  return new Map(placed.flatMap(([ordinal, pod]) => (ordinal === undefined ? [] : [[ordinal, pod]])));
}

/** Computes the view of a set, with its pods by ordinal. */
export function viewOf(observed: Observed): View {
  const byOrdinal = podsByOrdinal(observed.set, observed.pods);
  const condemned = [...byOrdinal]
    .filter(([ordinal]) => !isWanted(observed.set, ordinal))
    .sort(([a], [b]) => b - a)
    .map(([ordinal, pod]) => ({ ordinal, pod }));
  return { ...observed, byOrdinal, condemned };
}

/** The ordinals that should have a pod, from low to high. It stops when more are missing than one reconciliation creates. */
export function* ordinals(set: StatefulSet, byOrdinal: ReadonlyMap<number, Pod>): Generator<number> {
  const end = startOf(set) + replicasOf(set);
  const most = isOrdered(set) ? 1 : BURST;
  for (let ordinal = startOf(set), missing = 0; ordinal < end && missing < most; ordinal++) {
    if (!byOrdinal.has(ordinal)) missing++;
    yield ordinal;
  }
}

/** The names of the claims that decisions may concern. */
export function claimsToRead(set: StatefulSet, pods: readonly Pod[]): readonly string[] {
  const templates = claimTemplates(set);
  if (templates.length === 0) return [];
  const byOrdinal = podsByOrdinal(set, pods);
  const places = new Set([...byOrdinal.keys(), ...ordinals(set, byOrdinal)]);
  return [...places].flatMap((ordinal) => templates.map((template) => claimName(set, template, ordinal)));
}

/** Whether a pod of the set is available. */
export const isAvailableIn = ({ set, now }: Counted, pod: Pod): boolean =>
  !isDeleting(pod) && isPodAvailable(pod, minReadySecondsOf(set), now);
