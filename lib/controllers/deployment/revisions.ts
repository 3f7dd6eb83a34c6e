import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { parseInt64 } from '#lib/machinery/int64.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, nameOf } from '#lib/machinery/meta.ts';
import { replicasOf } from '../replicaset/decide.ts';
import { mostReplicas } from './limits.ts';
import { sameTemplate } from './template.ts';

const PREFIX = 'deployment.kubernetes.io/';
/** The annotation of a deployment and its sets with the revision number. */
export const REVISION = `${PREFIX}revision`;
const HISTORY = `${PREFIX}revision-history`;
/** The annotation of a set with the deployment's replicas at the time the set was sized. */
export const DESIRED = `${PREFIX}desired-replicas`;
/** The annotation of a set with the deployment's maximum replicas at the time the set was sized. */
export const MAXIMUM = `${PREFIX}max-replicas`;
/** The annotation of a deployment with the revision to roll back to. */
export const ROLLBACK = 'deprecated.deployment.rollback.to';
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  HISTORY,
  DESIRED,
  MAXIMUM,
  ROLLBACK,
]);
/** The maximum length of a replica set's revision history, in characters. */
const LONGEST_HISTORY = 2000;

/** Annotations by their names. */
export type Annotations = Record<string, string>;

/** The revision of a replica set, an int64. 0 if it has none, undefined if its annotation is not a number. */
export function revisionOf(set: ReplicaSet): bigint | undefined {
  const value = annotationsOf(set)[REVISION];
  return value === undefined ? 0n : parseInt64(value);
}

/** The count in an annotation: a non-negative int32. Undefined if there is none. */
export function countedBy(set: ReplicaSet, annotation: string): number | undefined {
  const value = annotationsOf(set)[annotation];
  const number = value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : undefined;
  return number !== undefined && number <= MAX_INT32 ? number : undefined;
}

/** Orders sets from old to new, then by name. */
export const byAge = (a: ReplicaSet, b: ReplicaSet): number =>
  (creationTimeOf(a)?.getTime() ?? 0) - (creationTimeOf(b)?.getTime() ?? 0) || (nameOf(a) < nameOf(b) ? -1 : 1);

/** Orders sets by revision, then by age. */
export const byRevision = (a: ReplicaSet, b: ReplicaSet): number =>
  compare(revisionOf(a) ?? 0n, revisionOf(b) ?? 0n) || byAge(a, b);

const compare = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

/** The sets of a deployment, split into the current one and old ones. */
export interface Revisions {
  /** The oldest set that has the deployment's template. */
  readonly current: ReplicaSet | undefined;
  /** The others, from old to new. */
  readonly old: readonly ReplicaSet[];
  /** The minimum revision number of the current set. */
  readonly next: bigint;
}

/** Splits the sets into the one with the deployment's template and the others. */
export function revisionsOf(deployment: Deployment, sets: readonly ReplicaSet[]): Revisions {
  const sorted = sets.toSorted(byAge);
  const current = sorted.find((set) => sameTemplate(set, deployment));
  const old = sorted.filter((set) => set !== current);
  const highest = old.map((set) => revisionOf(set) ?? 0n).reduce((one, other) => (one > other ? one : other), 0n);
  return { current, old, next: BigInt.asIntN(64, highest + 1n) };
}

/** The second highest revision, 0 if there is none. */
export function lastRevision(sets: readonly ReplicaSet[]): bigint {
  const numbers = sets.map((set) => revisionOf(set) ?? 0n).sort((a, b) => compare(b, a));
  return numbers[1] ?? 0n;
}

/** A copy of the object with its annotations replaced. */
export const annotated = <O extends { metadata: ObjectMeta }>(object: O, annotations: Annotations): O => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...annotations } },
});

/** The annotations of the deployment's newest set: those of the deployment, its revision, and its earlier revisions. */
export function annotationsFor(deployment: Deployment, set: JsonObject, next: bigint): Annotations {
  const annotations = copied(annotationsOf(deployment), annotationsOf(set));
  const before = annotations[REVISION];
  const held = before === undefined || before === '' ? 0n : parseInt64(before);
  if (held === undefined || held >= next) return annotations;
  annotations[REVISION] = String(next);
  if (before !== undefined) annotations[HISTORY] = history(annotations[HISTORY] ?? '', before);
  return annotations;
}

/** The annotations of the set copied back to the deployment by a rollback. The deployment keeps its own special ones. */
export function annotationsBack(deployment: Deployment, set: ReplicaSet): Annotations {
  const own = Object.entries(annotationsOf(deployment)).filter(([key]) => NOT_COPIED.has(key));
  const annotations: Annotations = {};
  for (const [key, value] of own) annotations[key] = value;
  return copied(annotationsOf(set), annotations);
}

function copied(from: Annotations, to: Annotations): Annotations {
  const all: Annotations = { ...to };
  for (const [key, value] of Object.entries(from)) if (!NOT_COPIED.has(key)) setField(all, key, value);
  return all;
}

/** The history with one more revision. Drops the oldest ones if it becomes too long. */
function history(held: string, revision: string): string {
  const revisions = held === '' ? [] : held.split(',');
  while (revisions.length > 0 && [...revisions, revision].join().length > LONGEST_HISTORY) revisions.shift();
  return [...revisions, revision].join();
}

/** The annotations that record the deployment's size on every set, for proportional scaling. */
export const sizeAnnotations = (deployment: Deployment): Annotations => ({
  [DESIRED]: String(replicasOf(deployment)),
  [MAXIMUM]: String(mostReplicas(deployment)),
});
