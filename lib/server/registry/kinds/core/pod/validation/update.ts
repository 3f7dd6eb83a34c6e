import { internalForm } from '#lib/api/internal-form.ts';
import type { Pod, PodSpec, Toleration } from '#lib/api/types/core.v1.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { clone, type Json } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, forbidden, invalid, required } from '#lib/machinery/validation/field.ts';
import { internallyEqual } from '../../../shared/semantic.ts';
import { keepField } from '../../../shared/status.ts';
import { unifiedDiff } from '../../../shared/unified-diff.ts';
import { inRange } from '../../../shared/validate.ts';
import { validatePodAnnotations, validatePodAnnotationUpdates } from './annotations.ts';
import { validateImageTrimmed } from './container.ts';
import { settleGatedFields } from './gated-update.ts';
import type { PodValidationOptions } from './options.ts';
import { validatePod } from './pod.ts';
import { validateTolerations } from './tolerations.ts';

const SPEC = FieldPath.of('spec');
const ANNOTATIONS = FieldPath.of('metadata', 'annotations');
const LISTS = ['containers', 'initContainers'] as const;
const UPDATABLE = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** Upstream's ValidatePodUpdate, without generic metadata: most of a pod's spec is immutable. */
export function validatePodUpdate(pod: Pod, old: Pod, options: PodValidationOptions): FieldError[] {
  const { spec } = pod;
  const { spec: oldSpec } = old;
  const errors = [...validatePod(pod, options), ...validateAnnotationUpdate(pod, old, options)];
  for (const list of LISTS) {
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

/** Validates annotations on an update, including immutable ones. */
export function validateAnnotationUpdate(
  { metadata, spec }: Pod,
  old: Pod,
  options: PodValidationOptions,
): FieldError[] {
  return [
    ...validatePodAnnotationUpdates(metadata, old.metadata, ANNOTATIONS),
    ...validatePodAnnotations(metadata, spec, ANNOTATIONS, options),
  ];
}

/** `stop` is true if later errors would be meaningless. */
interface Checked {
  readonly errors: readonly FieldError[];
  readonly stop: boolean;
}

function images(spec: PodSpec, old: PodSpec, list: (typeof LISTS)[number]): Checked {
  const containers = spec[list] ?? [];
  const path = SPEC.child(list);
  if (containers.length !== (old[list] ?? []).length) {
    return { errors: [forbidden(path, 'pod updates may not add or remove containers')], stop: true };
  }
  const errors = containers.flatMap((container, i) => [
    ...((container.image ?? '') === '' ? [required(path.index(i).child('image'))] : []),
    ...validateImageTrimmed(container, path.index(i)),
  ]);
  return { errors, stop: false };
}

/** The deadline can be set or lowered. */
function activeDeadline(spec: PodSpec, old: PodSpec, path: FieldPath): Checked {
  const now = spec.activeDeadlineSeconds;
  const before = old.activeDeadlineSeconds;
  if (now === undefined) {
    const message = 'must not update from a positive integer to nil value';
    return { errors: before === undefined ? [] : [invalid(path, null, message)], stop: false };
  }
  const errors = inRange(now, path, 0, MAX_INT32);
  if (errors.length > 0) return { errors, stop: true };
  if (before === undefined || now <= before) return { errors: [], stop: false };
  return { errors: [invalid(path, now, 'must be less than or equal to previous value')], stop: true };
}

function addedTolerations(spec: PodSpec, old: PodSpec, options: PodValidationOptions): FieldError[] {
  const path = SPEC.child('tolerations');
  const list = spec.tolerations ?? [];
  const now = new Set(list.map(tolerationKey));
  const kept = (old.tolerations ?? []).every((toleration) => now.has(tolerationKey(toleration)));
  if (!kept) return [forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')];
  return validateTolerations(list, path, options);
}

/** Identifies a toleration by everything except its duration. */
function tolerationKey({ key = '', operator = '', value = '', effect = '' }: Toleration): string {
  return JSON.stringify([key, operator, value, effect]);
}

function deletedGates(spec: PodSpec, old: PodSpec): FieldError[] {
  const before = new Set((old.schedulingGates ?? []).map(({ name }) => name));
  return (spec.schedulingGates ?? []).flatMap(({ name }, i) => {
    if (before.has(name)) return [];
    const message = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(SPEC.child('schedulingGates').index(i).child('name'), message)];
  });
}

/** Resets mutable fields to their old values. All other fields must be equal. */
function settledFields(spec: PodSpec, old: PodSpec): FieldError[] {
  const settled = clone(spec);
  for (const list of LISTS) {
    for (const [i, before] of (old[list] ?? []).entries()) {
      const container = settled[list]?.[i];
      if (container !== undefined) keepField(container, before, 'image');
    }
  }
  for (const field of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'] as const) {
    keepField(settled, old, field);
  }
  const grace = 'terminationGracePeriodSeconds';
  if ((old[grace] ?? 0) < 0 && Number(settled[grace]) === 1) keepField(settled, old, grace);
  const errors = (old.schedulingGates ?? []).length > 0 ? settleGatedFields(settled, old, SPEC) : [];
  if (internallyEqual(shown(settled), shown(old))) return errors;
  const message = `pod updates may not change fields other than ${UPDATABLE.join(',')}\n${unifiedDiff(shown(old), shown(settled))}`;
  return [...errors, forbidden(SPEC, message)];
}

const shown = (spec: PodSpec): Json => internalForm('core.v1.PodSpec', spec);
