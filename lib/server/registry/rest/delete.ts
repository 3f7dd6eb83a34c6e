import { conflict, invalid } from '#lib/machinery/errors.ts';
import { clone, equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { type FieldError, FieldPath, invalid as invalidField, notSupported } from '#lib/machinery/validation/field.ts';
import type { ResourceDefinition } from '../resource.ts';
import { ensureMetadata } from './meta.ts';

/** The propagation policy for an object's dependents. */
export type Propagation = 'Orphan' | 'Background' | 'Foreground';

/** `metav1.DeleteOptions`, decoded. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: readonly string[];
  /**
   * `ignoreStoreReadErrorWithClusterBreakingPotential`: deletes an unreadable object without reading it. Readable objects are deleted as
   * usual.
   */
  readonly ignoreStoreReadError?: true;
}

/** The effect of a delete on the current object. */
export type DeleteDecision =
  /** `marked` is the final state of an object whose kind deletes gracefully but that has no grace period. */
  | { readonly action: 'delete'; readonly marked?: JsonObject }
  /** Marks the object for deletion or shortens its grace period. Finalizers or the kubelet complete the deletion. */
  | { readonly action: 'update'; readonly object: JsonObject }
  /** The object is already being deleted and this request changes nothing. */
  | { readonly action: 'pending' };

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan'];

/** Throws 422 if the options contradict each other. */
export function validateDeleteOptions(options: DeleteOptions): void {
  const errors: FieldError[] = [];
  const { propagationPolicy, orphanDependents } = options;
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    errors.push(
      invalidField(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, [...POLICIES, 'nil']));
  }
  if (options.dryRun.some((value) => value !== 'All'))
    errors.push(notSupported(FieldPath.of('dryRun'), options.dryRun, ['All']));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
}

/** The option that deletes an object that cannot be read. */
export const IGNORE_READ_ERROR = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Upstream's BeforeDelete plus the finalizers of garbage collection. Decides the effect of a delete without changing `current`. */
export function decideDelete(
  definition: ResourceDefinition,
  current: JsonObject,
  options: DeleteOptions,
  now: Date,
): DeleteDecision {
  checkPreconditions(definition, current, options);
  const object = clone(current);
  const metadata = ensureMetadata(object);
  const held = definition.strategy.holdsDeletion?.(current) === true;
  if (held && metadata['deletionTimestamp'] !== undefined) return { action: 'pending' };
  if (!isDeleting(object)) definition.strategy.beginDeletion?.(object, { now });
  const begun = isDeleting(object) && !isDeleting(current);
  const grace = gracefulDeletion(definition, object, options, now);
  if (grace === 'pending') return { action: 'pending' };
  const finalizers = nextFinalizers(definition, metadata, options);
  if (finalizers.length === 0) delete metadata['finalizers'];
  else metadata['finalizers'] = finalizers;
  if (held || begun) return { action: 'update', object };
  if (grace === 'graceful' && Number(metadata['deletionGracePeriodSeconds']) > 0) return { action: 'update', object };
  if (finalizers.length === 0)
    return grace === 'graceful' ? { action: 'delete', marked: object } : { action: 'delete' };
  markAsDeleting(metadata, now);
  return equal(object, current) ? { action: 'pending' } : { action: 'update', object };
}

/** Throws 409 if uid or resourceVersion differ from the options' preconditions. */
export function checkPreconditions(
  { scheme, resource }: ResourceDefinition,
  current: JsonObject,
  { preconditions }: DeleteOptions,
): void {
  const [uid, version] = [uidOf(current), resourceVersionOf(current)];
  const subject = { group: resource.group, resource: scheme.kind.kind };
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw conflict(
      subject,
      nameOf(current),
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== version) {
    throw conflict(
      subject,
      nameOf(current),
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${version}). The object might have been modified`,
    );
  }
}

/** Sets the deletion timestamp and grace period if the kind deletes gracefully. */
function gracefulDeletion(
  definition: ResourceDefinition,
  object: JsonObject,
  options: DeleteOptions,
  now: Date,
): 'now' | 'graceful' | 'pending' {
  const period = definition.strategy.gracePeriod;
  if (period === undefined) return 'now';
  const metadata = ensureMetadata(object);
  const asked =
    options.gracePeriodSeconds === undefined
      ? undefined
      : Math.max(options.gracePeriodSeconds, options.gracePeriodSeconds < 0 ? 1 : 0);
  if (metadata['deletionTimestamp'] !== undefined) return shortenGrace(metadata, asked, now);
  const seconds = Math.max(0, period(object, asked));
  metadata['deletionTimestamp'] = timeOf(now.getTime() + seconds * 1000);
  metadata['deletionGracePeriodSeconds'] = seconds;
  if (Number(metadata['generation'] ?? 0) > 0) metadata['generation'] = Number(metadata['generation']) + 1;
  return 'graceful';
}

function shortenGrace(metadata: JsonObject, asked: number | undefined, now: Date): 'now' | 'graceful' | 'pending' {
  const grace = Number(metadata['deletionGracePeriodSeconds'] ?? 0);
  if (grace <= 0) return 'now';
  if (asked === undefined || asked >= grace) return 'pending';
  const start = Date.parse(String(metadata['deletionTimestamp'])) - grace * 1000;
  const moved = start + asked * 1000;
  const late = moved < now.getTime();
  metadata['deletionTimestamp'] = timeOf(late ? now : new Date(moved));
  metadata['deletionGracePeriodSeconds'] = late && asked !== 0 ? 1 : asked;
  return 'graceful';
}

function markAsDeleting(metadata: JsonObject, now: Date): void {
  if (metadata['deletionTimestamp'] === undefined) {
    if (Number(metadata['generation'] ?? 0) > 0) metadata['generation'] = Number(metadata['generation']) + 1;
    metadata['deletionTimestamp'] = timeOf(now);
  }
  metadata['deletionGracePeriodSeconds'] = 0;
}

function nextFinalizers(definition: ResourceDefinition, metadata: JsonObject, options: DeleteOptions): string[] {
  const given = metadata['finalizers'];
  const finalizers = Array.isArray(given) ? given.filter((f) => typeof f === 'string') : [];
  const policy = propagation(definition, finalizers, options);
  const kept = finalizers.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (policy === 'Orphan') kept.push(ORPHAN);
  if (policy === 'Foreground') kept.push(FOREGROUND);
  return kept;
}

/** The request's policy, otherwise the one that existing finalizers imply, otherwise the kind's default. */
function propagation(
  { strategy }: ResourceDefinition,
  finalizers: readonly string[],
  options: DeleteOptions,
): Propagation {
  if (strategy.defaultPropagation === 'unsupported') return 'Background';
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy as Propagation;
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  if (finalizers.includes(FOREGROUND)) return 'Foreground';
  return strategy.defaultPropagation === 'orphan' ? 'Orphan' : 'Background';
}

/** Whether an update completes a deletion: neither a finalizer nor another holder remains, and the grace period is zero. */
export function deletesDuringUpdate({ strategy }: ResourceDefinition, hub: JsonObject, current: JsonObject): boolean {
  if (strategy.holdsDeletion?.(hub) === true) return false;
  const metadata = ensureMetadata(hub);
  const before = ensureMetadata(current);
  const finalizers = metadata['finalizers'];
  if (Array.isArray(finalizers) && finalizers.length > 0) return false;
  if (before['deletionTimestamp'] === undefined) return false;
  return Number(before['deletionGracePeriodSeconds'] ?? 0) === 0;
}
