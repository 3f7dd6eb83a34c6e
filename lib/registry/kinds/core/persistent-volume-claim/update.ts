import { internalForm } from '#lib/api/internal-form.ts';
import { clone, objectAt, ownField, setField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import { internallyEqual, semanticEqual } from '../../shared/semantic.ts';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import { copyMissing } from './data-sources.ts';

const SPEC = FieldPath.of('spec');
const CLASS = 'volume.beta.kubernetes.io/storage-class';
const BOUND =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** Upstream's ValidatePersistentVolumeClaimUpdate beyond the rules of every claim. */
export function validateClaimChange(claim: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectAt(claim, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  const mode = ownField(spec, 'volumeMode') ?? null;
  return [
    ...annotationKept(claim, old),
    ...specKept(claim, old),
    ...sizeErrors(spec, before, old),
    ...(semanticEqual(mode, ownField(before, 'volumeMode')) ? [] : [invalid('volumeMode', mode, IMMUTABLE)]),
    ...classKept(spec, before, old),
  ];
}

const annotation = (claim: JsonObject): string | undefined => {
  const annotations = at(claim, 'metadata', 'annotations');
  return has(annotations, CLASS) ? text(annotations, CLASS) : undefined;
};

/** The class may move from the annotation, where it once was, to its field. */
function movesFromAnnotation(claim: JsonObject, old: JsonObject): boolean {
  const before = annotation(old);
  const name = ownField(objectAt(claim, 'spec'), 'storageClassName');
  const now = annotation(claim);
  const unset = !has(objectAt(old, 'spec'), 'storageClassName');
  return before !== undefined && unset && name === before && (now === undefined || now === before);
}

function annotationKept(claim: JsonObject, old: JsonObject): FieldError[] {
  const now = annotation(claim) ?? '';
  if (movesFromAnnotation(claim, old) || now === (annotation(old) ?? '')) return [];
  return [invalid(FieldPath.of('metadata').child('annotations', CLASS), now, IMMUTABLE)];
}

/** Whether an absent class may now be given. */
function setsClass(spec: JsonObject, before: JsonObject, old: JsonObject): boolean {
  const annotated = annotation(old);
  if (!has(spec, 'storageClassName') || has(before, 'storageClassName')) return false;
  return annotated === undefined || annotated === text(spec, 'storageClassName');
}

const shown = (spec: JsonObject): Json => internalForm('core.v1.PersistentVolumeClaimSpec', spec);

function specKept(claim: JsonObject, old: JsonObject): FieldError[] {
  const spec = clone(objectAt(claim, 'spec') ?? {});
  const before = clone(objectAt(old, 'spec') ?? {});
  copyMissing(before);
  const copy = (field: string, from: JsonObject, to: JsonObject): void => {
    const value = ownField(from, field);
    if (value === undefined) delete to[field];
    else to[field] = value;
  };
  if (text(before, 'volumeName') === '') copy('volumeName', spec, before);
  if (movesFromAnnotation(claim, old)) delete spec['storageClassName'];
  else if (setsClass(spec, before, old)) copy('storageClassName', before, spec);
  if (text(objectAt(claim, 'status'), 'phase') === 'Bound') {
    const [requests, had] = [at(spec, 'resources', 'requests'), at(before, 'resources', 'requests')];
    if (requests !== undefined) setField(requests, 'storage', ownField(had, 'storage') ?? '0');
    copy('volumeAttributesClassName', before, spec);
  }
  if (internallyEqual(shown(spec), shown(before))) return [];
  return [forbidden(SPEC, `${BOUND}\n${unifiedDiff(shown(before), shown(spec))}`)];
}

/** A claim may shrink back to more than it has, which undoes an expansion that failed. */
function sizeErrors(spec: JsonObject, before: JsonObject, old: JsonObject): FieldError[] {
  const sizeOf = (one: JsonObject): string => text(at(one, 'resources', 'requests'), 'storage') || '0';
  const size = sizeOf(spec);
  if (compareQuantities(size, sizeOf(before)) >= 0) return [];
  const has = text(at(old, 'status', 'capacity'), 'storage') || '0';
  if (compareQuantities(size, has) > 0) return [];
  return [forbidden(SPEC.child('resources', 'requests', 'storage'), 'field can not be less than status.capacity')];
}

function classKept(spec: JsonObject, before: JsonObject, old: JsonObject): FieldError[] {
  const field = 'volumeAttributesClassName';
  if (semanticEqual(ownField(spec, field), ownField(before, field))) return [];
  if (!has(objectAt(old, 'status'), 'currentVolumeAttributesClassName')) return [];
  const forbid = (value: string): FieldError[] => [
    forbidden(
      SPEC.child(field),
      `update to ${value} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  ];
  if (!has(spec, field)) return forbid('nil');
  return text(spec, field) === '' ? forbid('empty string') : [];
}
