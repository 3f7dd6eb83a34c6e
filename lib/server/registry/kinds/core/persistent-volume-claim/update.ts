import { internalForm } from '#lib/api/internal-form.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '#lib/api/types/core.v1.ts';
import { clone, type Json, ownField, setField } from '#lib/machinery/json-value.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import { type FieldError, FieldPath, forbidden, invalid } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { internallyEqual, semanticEqual } from '../../shared/semantic.ts';
import { keepField } from '../../shared/status.ts';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import { copyMissing } from './data-sources.ts';

const SPEC = FieldPath.of('spec');
const CLASS = 'volume.beta.kubernetes.io/storage-class';
const BOUND =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Upstream's ValidatePersistentVolumeClaimUpdate, without the rules that apply to every claim. */
export function validateClaimChange(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const [spec, before] = [claim.spec, old.spec];
  const mode = spec.volumeMode ?? null;
  return [
    ...annotationKept(claim, old),
    ...specKept(claim, old),
    ...sizeErrors(spec, before, old),
    ...(semanticEqual(mode, before.volumeMode) ? [] : [invalid('volumeMode', mode, IMMUTABLE)]),
    ...classKept(spec, before, old),
  ];
}

const annotation = (claim: PersistentVolumeClaim): string | undefined => ownField(claim.metadata.annotations, CLASS);

/** Whether the class moves from the legacy annotation to its field. */
function movesFromAnnotation(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const before = annotation(old);
  const name = claim.spec.storageClassName;
  const now = annotation(claim);
  const unset = old.spec.storageClassName === undefined;
  return before !== undefined && unset && name === before && (now === undefined || now === before);
}

function annotationKept(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const now = annotation(claim) ?? '';
  if (movesFromAnnotation(claim, old) || now === (annotation(old) ?? '')) return [];
  return [invalid(FieldPath.of('metadata').child('annotations', CLASS), now, IMMUTABLE)];
}

/** Whether the update may set a class that was absent. */
function setsClass(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaim,
): boolean {
  const annotated = annotation(old);
  if (spec.storageClassName === undefined || before.storageClassName !== undefined) return false;
  return annotated === undefined || annotated === (spec.storageClassName ?? '');
}

const shown = (spec: PersistentVolumeClaimSpec): Json => internalForm('core.v1.PersistentVolumeClaimSpec', spec);

function specKept(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const spec = clone(claim.spec);
  const before = clone(old.spec);
  copyMissing(before);
  if ((before.volumeName ?? '') === '') keepField(before, spec, 'volumeName');
  if (movesFromAnnotation(claim, old)) delete spec.storageClassName;
  else if (setsClass(spec, before, old)) keepField(spec, before, 'storageClassName');
  if ((claim.status.phase ?? '') === 'Bound') {
    const [requests, had] = [spec.resources.requests, before.resources.requests];
    if (requests !== undefined) setField(requests, 'storage', ownField(had, 'storage') ?? '0');
    keepField(spec, before, 'volumeAttributesClassName');
  }
  if (internallyEqual(shown(spec), shown(before))) return [];
  return [forbidden(SPEC, `${BOUND}\n${unifiedDiff(shown(before), shown(spec))}`)];
}

/** The requested size may shrink to cancel a failed expansion, as long as it exceeds the current capacity. */
function sizeErrors(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaim,
): FieldError[] {
  const sizeOf = (one: PersistentVolumeClaimSpec): string => ownField(one.resources.requests, 'storage') || '0';
  const size = sizeOf(spec);
  if (compareQuantities(size, sizeOf(before)) >= 0) return [];
  const provided = ownField(old.status.capacity, 'storage') || '0';
  if (compareQuantities(size, provided) > 0) return [];
  return [forbidden(SPEC.child('resources', 'requests', 'storage'), 'field can not be less than status.capacity')];
}

function classKept(
  spec: PersistentVolumeClaimSpec,
  before: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaim,
): FieldError[] {
  const field = 'volumeAttributesClassName';
  if (semanticEqual(spec[field], before[field])) return [];
  if (old.status.currentVolumeAttributesClassName === undefined) return [];
  const forbid = (value: string): FieldError[] => [
    forbidden(
      SPEC.child(field),
      `update to ${value} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ];
  if (spec[field] === undefined) return forbid('nil');
  return spec[field] === '' ? forbid('empty string') : [];
}
