import { arrayAt, clone, isObject, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { deletionTimeOf, nameOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';

/** What is left of one resource after its objects were asked to go. */
export interface Remaining {
  readonly resource: GroupVersionResource;
  readonly count: number;
  /** Of each object that is left. */
  readonly finalizers: readonly (readonly string[])[];
  /** The longest grace of a running pod. */
  readonly graceSeconds: number;
}

/** What one pass over a namespace's content came to. */
export interface Sweep {
  readonly discoveryError?: string;
  readonly errors: readonly string[];
  readonly remaining: readonly Remaining[];
  /** Pods are left, so nothing else was tried, and totals say nothing yet. */
  readonly podsOnly?: boolean;
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export const FINALIZER = 'kubernetes';
/** Seconds that a finalizer is thought to take. */
const FINALIZER_SECONDS = 15;

/** What each condition says when all is well, in the order in which the status has them. */
const GOOD: readonly Condition[] = [
  good('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
  good(
    'NamespaceDeletionGroupVersionParsingFailure',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ),
  good(
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ),
  good('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
  good('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
];

function good(type: string, reason: string, message: string): Condition {
  return { type, status: 'False', reason, message };
}

/** Finalizers of the spec besides ours. */
export function otherFinalizers(namespace: JsonObject): string[] {
  return specFinalizers(namespace).filter((finalizer) => finalizer !== FINALIZER);
}

export function specFinalizers(namespace: JsonObject): string[] {
  return arrayAt(objectAt(namespace, 'spec'), 'finalizers').filter((item) => typeof item === 'string');
}

/** Whether nothing of the namespace's content is left. */
export const isEmpty = ({ discoveryError, errors, remaining }: Sweep): boolean =>
  discoveryError === undefined && errors.length === 0 && remaining.length === 0;

/** The longest grace of pods that still run: upstream's estimate for them, in seconds. */
export function podGrace(pods: readonly JsonObject[]): number {
  const running = pods.filter(
    (pod) => !['Succeeded', 'Failed'].includes(stringAt(objectAt(pod, 'status'), 'phase') ?? ''),
  );
  return Math.max(
    0,
    ...running.map((pod) => Number(ownField(objectAt(pod, 'spec'), 'terminationGracePeriodSeconds') ?? 0)),
  );
}

/** Seconds that what is left is thought to take; 0 where nothing says why it is still there. */
export function estimate(namespace: JsonObject, sweep: Sweep, now: number): number {
  return Math.max(0, ...sweep.remaining.map((left) => secondsFor(left, namespace, now)));
}

function secondsFor({ graceSeconds, finalizers }: Remaining, namespace: JsonObject, now: number): number {
  const passed = (now - (deletionTimeOf(namespace)?.getTime() ?? now)) / 1000;
  if (graceSeconds > passed) return graceSeconds;
  return finalizers.some((of) => of.length > 0) ? FINALIZER_SECONDS : 0;
}

/** What is left with nothing to wait for. */
function unexpected(namespace: JsonObject, { remaining }: Sweep, now: number): string[] {
  return remaining
    .filter((left) => secondsFor(left, namespace, now) === 0)
    .map(
      ({ resource }) =>
        `unexpected items still remain in namespace: ${nameOf(namespace)} for gvr: ${resource.group}/${resource.version}, Resource=${resource.resource}`,
    );
}

/** The namespace with its conditions as the pass leaves them; undefined where they say that already. */
export function withConditions(namespace: JsonObject, sweep: Sweep, now: Date): JsonObject | undefined {
  const errors = [...sweep.errors, ...unexpected(namespace, sweep, now.getTime())];
  const bad = failures({ ...sweep, errors });
  const next = clone(namespace);
  const status = objectAt(next, 'status') ?? {};
  next['status'] = status;
  const conditions = arrayAt(status, 'conditions').filter(isObject);
  status['conditions'] = conditions;
  let changed = false;
  for (const condition of GOOD.map((ok) => bad.find(({ type }) => type === ok.type) ?? ok))
    changed = setCondition(conditions, condition, now) || changed;
  return changed ? next : undefined;
}

function setCondition(conditions: JsonObject[], { type, status, reason, message }: Condition, now: Date): boolean {
  const old = conditions.find((condition) => stringAt(condition, 'type') === type);
  if (old?.['status'] === status && old['reason'] === reason && old['message'] === message) return false;
  if (old === undefined) {
    conditions.push({ type, status, lastTransitionTime: timeText(instantOf(now)), reason, message });
    return true;
  }
  if (old['status'] !== status) old['lastTransitionTime'] = timeText(instantOf(now));
  Object.assign(old, { status, reason, message });
  return true;
}

function failures({ discoveryError, errors, remaining, podsOnly }: Sweep): Condition[] {
  const found: Condition[] = [];
  const add = (type: string, reason: string, message: string): unknown =>
    found.push({ type, status: 'True', reason, message });
  if (discoveryError !== undefined) add('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', discoveryError);
  if (errors.length > 0) add('NamespaceDeletionContentFailure', 'ContentDeletionFailed', failureText(errors));
  if (podsOnly === true) return found;
  const counts = remaining.map(
    ({ resource, count }) => `${resource.resource}.${resource.group} has ${count} resource instances`,
  );
  if (counts.length > 0)
    add('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${listed(counts)}`);
  const held = [...finalizerCounts(remaining)].map(([name, count]) => `${name} in ${count} resource instances`);
  if (held.length > 0)
    add(
      'NamespaceFinalizersRemaining',
      'SomeFinalizersRemain',
      `Some content in the namespace has finalizers remaining: ${listed(held)}`,
    );
  return found;
}

const failureText = (errors: readonly string[]): string =>
  `Failed to delete all resource types, ${errors.length} remaining: ${listed(errors)}`;

const listed = (texts: readonly string[]): string => [...texts].sort().join(', ');

function finalizerCounts(remaining: readonly Remaining[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of remaining.flatMap(({ finalizers }) => finalizers.flat()))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
