import { internalForm } from '#lib/api/internal-form.ts';
import { clone, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, integer, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, invalid, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { internallyEqual } from '../../../shared/semantic.ts';
import { unifiedDiff } from '../../../shared/unified-diff.ts';
import { inRange } from '../../../shared/validate.ts';
import { validatePodAnnotationUpdates, validatePodAnnotations } from './annotations.ts';
import { validateImageTrimmed } from './container.ts';
import { settleGatedFields } from './gated-update.ts';
import type { PodValidationOptions } from './options.ts';
import { validatePod } from './pod.ts';
import { validateTolerations } from './tolerations.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const MAX_INT32 = 2 ** 31 - 1;
const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** Upstream's ValidatePodUpdate, generic metadata apart: a pod's spec is settled but for a few fields. */
export function validatePodUpdate(pod: JsonObject, old: JsonObject, options: PodValidationOptions): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const oldSpec = objectAt(old, 'spec') ?? {};
  const errors = [...validatePod(pod, options), ...validateAnnotationUpdate(pod, old, options)];
  for (const list of ['containers', 'initContainers']) {
    const found = images(spec, oldSpec, list);
    errors.push(...found.errors);
    if (found.stop) return errors;
  }
  const deadline = activeDeadline(spec, oldSpec, SPEC.child('activeDeadlineSeconds'));
  errors.push(...deadline.errors);
  if (deadline.stop) return errors;
  return [
    ...errors,
    ...addedTolerations(spec, oldSpec, options),
    ...deletedGates(spec, oldSpec),
    ...settledFields(spec, oldSpec),
  ];
}

/** Annotations are looked at again together with what of them may not change. */
export function validateAnnotationUpdate(
  pod: JsonObject,
  old: JsonObject,
  options: PodValidationOptions,
): FieldError[] {
  const metadata = objectAt(pod, 'metadata') ?? {};
  return [
    ...validatePodAnnotationUpdates(metadata, objectAt(old, 'metadata') ?? {}, ANNOTATIONS),
    ...validatePodAnnotations(metadata, objectAt(pod, 'spec') ?? {}, ANNOTATIONS, options),
  ];
}

/** Some errors make those behind them meaningless. */
interface Checked {
  readonly errors: readonly FieldError[];
  readonly stop: boolean;
}

function images(spec: JsonObject, old: JsonObject, list: string): Checked {
  const containers = items(spec, list);
  const path = SPEC.child(list);
  if (containers.length !== items(old, list).length) {
    return { errors: [forbidden(path, 'pod updates may not add or remove containers')], stop: true };
  }
  const errors = containers.flatMap((container, i) => [
    ...(text(container, 'image') === '' ? [required(path.index(i).child('image'))] : []),
    ...validateImageTrimmed(container, path.index(i)),
  ]);
  return { errors, stop: false };
}

/** It can be set, and lowered. */
function activeDeadline(spec: JsonObject, old: JsonObject, path: FieldPath): Checked {
  const now = integer(spec, 'activeDeadlineSeconds');
  const before = integer(old, 'activeDeadlineSeconds');
  if (now === undefined) {
    const message = 'must not update from a positive integer to nil value';
    return { errors: before === undefined ? [] : [invalid(path, null, message)], stop: false };
  }
  const errors = inRange(now, path, 0, MAX_INT32);
  if (errors.length > 0) return { errors, stop: true };
  if (before === undefined || now <= before) return { errors: [], stop: false };
  return { errors: [invalid(path, now, 'must be less than or equal to previous value')], stop: true };
}

function addedTolerations(spec: JsonObject, old: JsonObject, options: PodValidationOptions): FieldError[] {
  const path = SPEC.child('tolerations');
  const list = items(spec, 'tolerations');
  const now = new Set(list.map(tolerationKey));
  const kept = items(old, 'tolerations').every((toleration) => now.has(tolerationKey(toleration)));
  if (!kept) return [forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
  return validateTolerations(list, path, options);
}

/** All of a toleration but how long it lasts. */
function tolerationKey(toleration: JsonObject): string {
  return JSON.stringify(['key', 'operator', 'value', 'effect'].map((field) => text(toleration, field)));
}

function deletedGates(spec: JsonObject, old: JsonObject): FieldError[] {
  const before = new Set(items(old, 'schedulingGates').map((gate) => text(gate, 'name')));
  return items(spec, 'schedulingGates').flatMap((gate, i) => {
    const name = text(gate, 'name');
    if (before.has(name)) return [];
    const message = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(SPEC.child('schedulingGates').index(i).child('name'), message)];
  });
}

/** What may change is set to what it was; the rest must be equal. */
function settledFields(spec: JsonObject, old: JsonObject): FieldError[] {
  const settled = clone(spec);
  for (const list of ['containers', 'initContainers']) {
    const before = items(old, list);
    for (const [i, container] of items(settled, list).entries()) copy(container, before[i] ?? {}, 'image');
  }
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) copy(settled, old, field);
  const grace = 'terminationGracePeriodSeconds';
  if (count(old, grace) < 0 && count(settled, grace) === 1) copy(settled, old, grace);
  const errors = items(old, 'schedulingGates').length > 0 ? settleGatedFields(settled, old, SPEC) : [];
  if (internallyEqual(shown(settled), shown(old))) return errors;
  const message = `pod updates may not change fields other than ${UPDATABLE.join(',')}\n${unifiedDiff(shown(old), shown(settled))}`;
  return [...errors, forbidden(SPEC, message)];
}

const shown = (spec: JsonObject): Json => internalForm('core.v1.PodSpec', spec);

function copy(target: JsonObject, source: JsonObject, field: string): void {
  const value = ownField(source, field);
  if (value === undefined) delete target[field];
  else target[field] = clone<Json>(value);
}
