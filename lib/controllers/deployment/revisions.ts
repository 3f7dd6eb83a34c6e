import type { Deployment, ReplicaSet } from '#lib/api/types/apps.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { parseInt64 } from '#lib/machinery/int64.ts';
import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, nameOf } from '#lib/machinery/meta.ts';
import { replicasOf } from '../replicaset/decide.ts';
import { mostReplicas } from './limits.ts';
import { sameTemplate } from './template.ts';

const PREFIX = 'deployment.kubernetes.io/';
/** On a deployment and its sets: the number of the revision. */
export const REVISION = `${PREFIX}revision`;
const HISTORY = `${PREFIX}revision-history`;
/** On a set: the replicas of its deployment when the set was sized. */
export const DESIRED = `${PREFIX}desired-replicas`;
/** On a set: the most replicas of its deployment when the set was sized. */
export const MAXIMUM = `${PREFIX}max-replicas`;
/** On a deployment: the revision to go back to. */
export const ROLLBACK = 'deprecated.deployment.rollback.to';
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  HISTORY,
  DESIRED,
  MAXIMUM,
  ROLLBACK,
]);
/** Characters of a replica set's history of revisions. */
const LONGEST_HISTORY = 2000;

/** Annotations by their names. */
export type Annotations = Record<string, string>;

/** The revision of a replica set, an int64: 0 where it has none, undefined where its annotation is no number. */
export function revisionOf(set: ReplicaSet): bigint | undefined {
  const value = annotationsOf(set)[REVISION];
  return value === undefined ? 0n : parseInt64(value);
}

/** A count that an annotation tells: an int32 that is not negative; undefined where it tells none. */
export function countedBy(set: ReplicaSet, annotation: string): number | undefined {
  const value = annotationsOf(set)[annotation];
  const number = value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : undefined;
  return number !== undefined && number <= 0x7fffffff ? number : undefined;
}

/** Orders sets from old to new, then by name. */
export const byAge = (a: ReplicaSet, b: ReplicaSet): number =>
  (creationTimeOf(a)?.getTime() ?? 0) - (creationTimeOf(b)?.getTime() ?? 0) || (nameOf(a) < nameOf(b) ? -1 : 1);

/** Orders sets by revision, then by age. */
export const byRevision = (a: ReplicaSet, b: ReplicaSet): number =>
  compare(revisionOf(a) ?? 0n, revisionOf(b) ?? 0n) || byAge(a, b);

const compare = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

/** The sets of a deployment, told apart. */
export interface Revisions {
  /** The oldest set that has the deployment's template. */
  readonly current: ReplicaSet | undefined;
  /** The others, from old to new. */
  readonly old: readonly ReplicaSet[];
  /** The number that the current one should have at least. */
  readonly next: bigint;
}

/** Tells the set of a deployment's template from the others. */
export function revisionsOf(deployment: Deployment, sets: readonly ReplicaSet[]): Revisions {
  const sorted = sets.toSorted(byAge);
  const current = sorted.find((set) => sameTemplate(set, deployment));
  const old = sorted.filter((set) => set !== current);
  const highest = old.map((set) => revisionOf(set) ?? 0n).reduce((one, other) => (one > other ? one : other), 0n);
  return { current, old, next: BigInt.asIntN(64, highest + 1n) };
}

/** The second highest revision; 0 where there is none. */
export function lastRevision(sets: readonly ReplicaSet[]): bigint {
  const numbers = sets.map((set) => revisionOf(set) ?? 0n).sort((a, b) => compare(b, a));
  return numbers[1] ?? 0n;
}

/** An object with other annotations. */
export const annotated = <O extends { metadata: ObjectMeta }>(object: O, annotations: Annotations): O => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...annotations } },
});

/** The annotations of the deployment's newest set: the deployment's, its revision, and which it had before. */
export function annotationsFor(deployment: Deployment, set: JsonObject, next: bigint): Annotations {
  const annotations = copied(annotationsOf(deployment), annotationsOf(set));
  const before = annotations[REVISION];
  const held = before === undefined || before === '' ? 0n : parseInt64(before);
  if (held === undefined || held >= next) return annotations;
  annotations[REVISION] = String(next);
  if (before !== undefined) annotations[HISTORY] = history(annotations[HISTORY] ?? '', before);
  return annotations;
}

/** Annotations of a set that goes back to the deployment, which keeps those of its own. */
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

/** The history with one more revision; the oldest go where it becomes too long. */
function history(held: string, revision: string): string {
  const revisions = held === '' ? [] : held.split(',');
  while (revisions.length > 0 && [...revisions, revision].join().length > LONGEST_HISTORY) revisions.shift();
  return [...revisions, revision].join();
}

/** The annotations by which every set tells the deployment's size, for proportions when that changes. */
export const sizeAnnotations = (deployment: Deployment): Annotations => ({
  [DESIRED]: String(replicasOf(deployment)),
  [MAXIMUM]: String(mostReplicas(deployment)),
});
