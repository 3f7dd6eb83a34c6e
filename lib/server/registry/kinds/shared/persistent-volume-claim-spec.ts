import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedLocalObjectReference,
  TypedObjectReference,
} from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { canonicalQuantity, isWhole, signOf } from '#lib/machinery/resource/quantities.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isDNS1123Subdomain, nameIsDNSLabel } from '#lib/machinery/validation/names.ts';
import { validateTemplateMetadata } from './template-metadata.ts';
import { checked, NOT_POSITIVE, objectName, optionalOneOf, requiredText } from './validate.ts';

/** Claims have the volume mode Filesystem by default. */
export function defaultClaimSpec(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
}

/** Validates the claim template of a generic ephemeral volume. Its metadata may contain only labels and annotations. */
export function validateClaimTemplate(template: PersistentVolumeClaimTemplate, path: FieldPath): FieldError[] {
  return [
    ...validateTemplateMetadata(template.metadata, path.child('metadata')),
    ...validateClaimSpec(template.spec, path.child('spec')),
  ];
}

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

/** Validates a `PersistentVolumeClaimSpec`, including those in stateful sets and ephemeral volumes. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const { storageClassName: storageClass = '', volumeAttributesClassName: attributesClass = '' } = spec;
  return [
    ...accessModes(spec.accessModes ?? [], path.child('accessModes')),
    ...validateLabelSelector(spec.selector, path.child('selector')),
    ...storage(spec, path.child('resources').key('storage')),
    ...(storageClass === '' ? [] : objectName(storageClass, path.child('storageClassName'))),
    ...optionalOneOf(spec, 'volumeMode', path, VOLUME_MODES),
    ...dataSources(spec, path),
    ...(attributesClass === '' ? [] : objectName(attributesClass, path.child('volumeAttributesClassName'))),
  ];
}

function accessModes(modes: readonly string[], path: FieldPath): FieldError[] {
  const alone = modes.includes('ReadWriteOncePod');
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  return [
    ...(modes.length === 0 ? [required(path, 'at least 1 access mode is required')] : []),
    ...modes.filter((mode) => !ACCESS_MODES.includes(mode)).map((mode) => notSupported(path, mode, ACCESS_MODES)),
    ...(alone && others ? [forbidden(path, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

function storage(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const request = ownField(spec.resources.requests, 'storage');
  if (request === undefined) return [required(path)];
  return signOf(request) > 0 ? [] : [invalid(path, canonicalQuantity(request), NOT_POSITIVE)];
}

function dataSources(spec: PersistentVolumeClaimSpec, path: FieldPath): FieldError[] {
  const { dataSource: source, dataSourceRef: ref } = spec;
  return [
    ...(source === undefined ? [] : dataSource(source, path.child('dataSource'))),
    ...(ref === undefined ? [] : [...dataSource(ref, path.child('dataSourceRef')), ...namespace(ref, path)]),
    ...(source === undefined || ref === undefined ? [] : bothSources(source, ref, path)),
  ];
}

function namespace(ref: TypedObjectReference, path: FieldPath): FieldError[] {
  const { namespace: name = '' } = ref;
  const where = path.child('dataSourceRef', 'namespace');
  return name === '' ? [] : checked(name, where, (value) => nameIsDNSLabel(value, false));
}

function bothSources(source: TypedLocalObjectReference, ref: TypedObjectReference, path: FieldPath): FieldError[] {
  // Upstream reports a path as the value, which Go's JSON encodes as an empty object.
  if ((ref.namespace ?? '') !== '') {
    return [invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  }
  const same = (['apiGroup', 'kind', 'name'] as const).every((field) => source[field] === ref[field]);
  return same ? [] : [invalid(path, {}, 'must match dataSourceRef')];
}

const CLAIM_ONLY = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";

function dataSource(source: TypedLocalObjectReference | TypedObjectReference, path: FieldPath): FieldError[] {
  const { kind } = source;
  const group = source.apiGroup ?? '';
  return [
    ...requiredText<typeof source>(source, 'name', path),
    ...requiredText<typeof source>(source, 'kind', path),
    ...(group === '' && kind !== 'PersistentVolumeClaim' ? [invalid(path, kind, CLAIM_ONLY)] : []),
    ...(group === '' ? [] : checked(group, path.child('apiGroup'), isDNS1123Subdomain)),
  ];
}

/** Upstream's GetWarningsForPersistentVolumeClaimSpec. */
export function claimSpecWarnings(spec: PersistentVolumeClaimSpec, path: FieldPath): string[] {
  return (['requests', 'limits'] as const).flatMap((list) =>
    sortedEntries(spec.resources[list])
      .filter(([name, value]) => name === 'storage' && !isWhole(value))
      .map(([name, value]) => fractionWarning(value, path.child('resources', list).key(name))),
  );
}

/** The warning about an amount that is not a whole number of bytes. */
export function fractionWarning(value: string, path: FieldPath): string {
  return `${path}: fractional byte value "${canonicalQuantity(value)}" is invalid, must be an integer`;
}
