import type { Namespace, NamespaceCondition, Pod } from '#lib/api/types/core.v1.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { findCondition, updateCondition } from '#lib/machinery/conditions.ts';
import { deletionTimeOf, nameOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

/** The objects of one resource that remain after their deletion was requested. */
export interface Remaining {
  readonly resource: GroupVersionResource;
  readonly count: number;
  /** The finalizers of each remaining object. */
  readonly finalizers: readonly (readonly string[])[];
  /** The longest grace period of a running pod, in seconds. */
  readonly graceSeconds: number;
}

/** The result of one pass over a namespace's content. */
export interface Sweep {
  readonly discoveryError?: string;
  readonly errors: readonly string[];
  readonly remaining: readonly Remaining[];
  /** Whether only pods were deleted, because some remain. Totals are then incomplete. */
  readonly podsOnly?: boolean;
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** The finalizer of a namespace's spec that this controller removes. */
export const FINALIZER = 'kubernetes';
/** The time in seconds that a finalizer is expected to take. */
const FINALIZER_SECONDS = 15;

/** The conditions of a namespace without errors, in the order of its status. */
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

/** Finalizers of the spec other than this controller's. */
export function otherFinalizers(namespace: Namespace): string[] {
  return specFinalizers(namespace).filter((finalizer) => finalizer !== FINALIZER);
}

/** Finalizers of the spec. The namespace is deleted when none is left. */
export const specFinalizers = ({ spec }: Namespace): string[] => spec.finalizers ?? [];

/** Whether the namespace is empty. */
export const isEmpty = ({ discoveryError, errors, remaining }: Sweep): boolean =>
  discoveryError === undefined && errors.length === 0 && remaining.length === 0;

/** The longest grace period of running pods in seconds: upstream's estimate for them. */
export function podGrace(pods: readonly Pod[]): number {
  const running = pods.filter((pod) => !isPodTerminal(pod));
  return Math.max(0, ...running.map(({ spec }) => Number(spec.terminationGracePeriodSeconds ?? 0)));
}

/** The time in seconds that the rest is expected to take. 0 if no reason for the delay is known. */
export function estimate(namespace: Namespace, sweep: Sweep, now: number): number {
  return Math.max(0, ...sweep.remaining.map((left) => secondsFor(left, namespace, now)));
}

function secondsFor({ graceSeconds, finalizers }: Remaining, namespace: Namespace, now: number): number {
  const passed = (now - (deletionTimeOf(namespace)?.getTime() ?? now)) / 1000;
  if (graceSeconds > passed) return graceSeconds;
  return finalizers.some((of) => of.length > 0) ? FINALIZER_SECONDS : 0;
}

/** A message for each resource whose objects remain for no known reason. */
function unexpected(namespace: Namespace, { remaining }: Sweep, now: number): string[] {
  return remaining
    .filter((left) => secondsFor(left, namespace, now) === 0)
    .map(
      ({ resource }) =>
        `unexpected items still remain in namespace: ${nameOf(namespace)} for gvr: ${resource.group}/${resource.version}, Resource=${resource.resource}`,
    );
}

/** The namespace with its conditions after the pass. Undefined if they do not change. */
export function withConditions(namespace: Namespace, sweep: Sweep, now: Date): Namespace | undefined {
  const errors = [...sweep.errors, ...unexpected(namespace, sweep, now.getTime())];
  const bad = failures({ ...sweep, errors });
  const { conditions: held = [] } = namespace.status;
  const changed = GOOD.map((ok) => findCondition(bad, ok.type) ?? ok).filter((one) => !isAmong(held, one));
  if (changed.length === 0) return undefined;
  const lastTransitionTime = timeOf(now);
  const conditions = changed.reduce((all, one) => updateCondition(all, { ...one, lastTransitionTime }), held);
  return { ...namespace, status: { ...namespace.status, conditions } };
}

function isAmong(held: readonly NamespaceCondition[], { type, status, reason, message }: Condition): boolean {
  const old = findCondition(held, type);
  return old?.status === status && old.reason === reason && old.message === message;
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
