import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { at, count, text } from '#lib/machinery/unstructured.ts';
import { minReadySecondsOf, replicasOf } from '../replicaset/decide.ts';
import { isAvailable } from '../workload/pod.ts';
import { claimTemplates, claimName, ordinalOf, startOf } from './identity.ts';
import type { Counted } from './status.ts';

/** Pods that one turn makes at most. */
const BURST = 500;

export interface Observed extends Counted {
  /** By name, those of the ordinals that `ordinalsToClaim` gives. */
  readonly claims: ReadonlyMap<string, JsonObject>;
  /** The owner reference of the set's pods. */
  readonly reference: JsonObject;
}

/** What was observed, with the pods by their place. */
export interface View extends Observed {
  readonly byOrdinal: ReadonlyMap<number, JsonObject>;
  /** Pods beyond the size that is wanted, the highest first. */
  readonly condemned: readonly { readonly pod: JsonObject; readonly ordinal: number }[];
}

/** One at a time, each only when those before it are available; otherwise all at once. */
export const isOrdered = (set: JsonObject): boolean =>
  text(objectAt(set, 'spec'), 'podManagementPolicy') !== 'Parallel';

export const isWanted = (set: JsonObject, ordinal: number): boolean =>
  ordinal >= startOf(set) && ordinal < startOf(set) + replicasOf(set);

export const partitionOf = (set: JsonObject): number =>
  Number(count(at(set, 'spec', 'updateStrategy', 'rollingUpdate'), 'partition'));

export function podsByOrdinal(set: JsonObject, pods: readonly JsonObject[]): Map<number, JsonObject> {
  const placed = pods.map((pod) => [ordinalOf(set, pod), pod] as const);
  return new Map(placed.flatMap(([ordinal, pod]) => (ordinal === undefined ? [] : [[ordinal, pod]])));
}

export function viewOf(observed: Observed): View {
  const byOrdinal = podsByOrdinal(observed.set, observed.pods);
  const condemned = [...byOrdinal]
    .filter(([ordinal]) => !isWanted(observed.set, ordinal))
    .sort(([a], [b]) => b - a)
    .map(([ordinal, pod]) => ({ ordinal, pod }));
  return { ...observed, byOrdinal, condemned };
}

/** The ordinals that are to have a pod, from low to high; it ends where more than one turn makes are missing. */
export function* ordinals(set: JsonObject, byOrdinal: ReadonlyMap<number, JsonObject>): Generator<number> {
  const end = startOf(set) + replicasOf(set);
  const most = isOrdered(set) ? 1 : BURST;
  for (let ordinal = startOf(set), missing = 0; ordinal < end && missing < most; ordinal++) {
    if (!byOrdinal.has(ordinal)) missing++;
    yield ordinal;
  }
}

/** Names of the claims that decisions may be about. */
export function claimsToRead(set: JsonObject, pods: readonly JsonObject[]): readonly string[] {
  const templates = claimTemplates(set);
  if (templates.length === 0) return [];
  const byOrdinal = podsByOrdinal(set, pods);
  const places = new Set([...byOrdinal.keys(), ...ordinals(set, byOrdinal)]);
  return [...places].flatMap((ordinal) => templates.map((template) => claimName(set, template, ordinal)));
}

export const isAvailableIn = ({ set, now }: Counted, pod: JsonObject): boolean =>
  !isDeleting(pod) && isAvailable(pod, minReadySecondsOf(set), now);
