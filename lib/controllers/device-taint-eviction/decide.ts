import { tolerates } from '#lib/dynamic-resource-allocation/resourceclaim/tolerates.ts';
import { objectAt, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { at, integer, items, text } from '#lib/machinery/unstructured.ts';
import { claimNames } from '../resourceclaim/decide.ts';

const EVICTS = 'NoExecute';

const results = (claim: JsonObject): readonly JsonObject[] =>
  items(at(claim, 'status', 'allocation', 'devices'), 'results');

const poolText = (driver: string, pool: string): string => JSON.stringify([driver, pool]);

/** The pools whose devices a claim has, each as one text. */
export const poolsOf = (claim: JsonObject): readonly string[] => [
  ...new Set(results(claim).map((one) => poolText(text(one, 'driver'), text(one, 'pool')))),
];

/** The drivers whose devices a claim has. */
export const driversOf = (claim: JsonObject): readonly string[] => [
  ...new Set(results(claim).map((one) => text(one, 'driver'))),
];

const spec = (slice: JsonObject): JsonObject | undefined => objectAt(slice, 'spec');

/** The pool that a slice is part of. */
export const poolOf = (slice: JsonObject): string =>
  poolText(text(spec(slice), 'driver'), text(at(slice, 'spec', 'pool'), 'name'));

/** Whether pods may have to leave a device of the slice. */
export const isTainted = (slice: JsonObject): boolean =>
  items(spec(slice), 'devices').some((device) => evicting(device).length > 0);

const evicting = (device: JsonObject): readonly JsonObject[] =>
  items(device, 'taints').filter((taint) => text(taint, 'effect') === EVICTS);

/** When, in milliseconds since 1970, who uses a claim must leave its devices; undefined where he need not. */
export function evictionTime(claim: JsonObject, slices: readonly JsonObject[]): number | undefined {
  const times = results(claim).flatMap((result) => {
    const tolerations = items(result, 'tolerations').filter((one) => text(one, 'effect') === EVICTS);
    return taintsOf(result, slices).map((taint) => timeOf(taint, tolerations));
  });
  const first = Math.min(Infinity, ...times);
  return first === Infinity ? undefined : first;
}

/** Of the slices of a pool those of its last generation count. */
function taintsOf(result: JsonObject, slices: readonly JsonObject[]): readonly JsonObject[] {
  const pool = poolText(text(result, 'driver'), text(result, 'pool'));
  const all = slices.filter((slice) => poolOf(slice) === pool);
  const generationOf = (slice: JsonObject): number => Number(integer(at(slice, 'spec', 'pool'), 'generation') ?? 0);
  const last = Math.max(...all.map(generationOf));
  const device = all
    .filter((slice) => generationOf(slice) === last)
    .flatMap((slice) => items(spec(slice), 'devices'))
    .find((one) => text(one, 'name') === text(result, 'device'));
  return device === undefined ? [] : evicting(device);
}

function timeOf(taint: JsonObject, tolerations: readonly JsonObject[]): number {
  const added = Date.parse(stringAt(taint, 'timeAdded') ?? '') || 0;
  const matching = tolerations.filter((one) => tolerates(one, taint));
  if (matching.length === 0) return added;
  const seconds = matching.map((one) => integer(one, 'tolerationSeconds'));
  if (seconds.includes(undefined)) return Infinity;
  return added + Math.max(0, Math.min(...seconds.map(Number))) * 1000;
}

/** Whether the pod that a claim is reserved for under this uid runs by it. */
export const uses = (pod: JsonObject, uid: string, claim: JsonObject): boolean =>
  uidOf(pod) === uid &&
  !isDeleting(pod) &&
  text(objectAt(pod, 'spec'), 'nodeName') !== '' &&
  claimNames(pod).includes(nameOf(claim));
