import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, text, texts } from '#lib/machinery/unstructured.ts';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isDNS1123Subdomain, nameIsDNSLabel } from '#lib/machinery/validation/names.ts';
import { canonicalQuantity, isWhole, quantities, signOf } from '#lib/machinery/resource/quantities.ts';
import { validateTemplateMetadata } from './template-metadata.ts';
import { NOT_POSITIVE, checked, objectName, optionalOneOf, requiredText } from './validate.ts';

/** A claim that does not say how it is mounted is a file system. */
export function defaultClaimSpec(spec: JsonObject): void {
  spec['volumeMode'] ??= 'Filesystem';
  ensure(spec, 'resources');
}

/** The template of a generic ephemeral volume's claim: of its metadata only labels and annotations may be set. */
export function validateClaimTemplate(template: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...validateTemplateMetadata(objectAt(template, 'metadata'), path.child('metadata')),
    ...validateClaimSpec(objectAt(template, 'spec') ?? {}, path.child('spec')),
  ];
}

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

/** A `PersistentVolumeClaimSpec`, also in stateful sets and ephemeral volumes. */
export function validateClaimSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const storageClass = text(spec, 'storageClassName');
  const attributesClass = text(spec, 'volumeAttributesClassName');
  return [
    ...accessModes(texts(spec, 'accessModes'), path.child('accessModes')),
    ...validateLabelSelector(objectAt(spec, 'selector'), path.child('selector')),
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

function storage(spec: JsonObject, path: FieldPath): FieldError[] {
  const request = quantities(objectAt(spec, 'resources'), 'requests').find(([name]) => name === 'storage')?.[1];
  if (request === undefined) return [required(path)];
  return signOf(request) > 0 ? [] : [invalid(path, canonicalQuantity(request), NOT_POSITIVE)];
}

function dataSources(spec: JsonObject, path: FieldPath): FieldError[] {
  const source = objectAt(spec, 'dataSource');
  const ref = objectAt(spec, 'dataSourceRef');
  return [
    ...(source === undefined ? [] : dataSource(source, path.child('dataSource'))),
    ...(ref === undefined ? [] : [...dataSource(ref, path.child('dataSourceRef')), ...namespace(ref, path)]),
    ...(source === undefined || ref === undefined ? [] : bothSources(source, ref, path)),
  ];
}

function namespace(ref: JsonObject, path: FieldPath): FieldError[] {
  const name = text(ref, 'namespace');
  const where = path.child('dataSourceRef', 'namespace');
  return name === '' ? [] : checked(name, where, (value) => nameIsDNSLabel(value, false));
}

function bothSources(source: JsonObject, ref: JsonObject, path: FieldPath): FieldError[] {
  // Upstream shows a path as the value, which Go's JSON renders as an empty object.
  if (text(ref, 'namespace') !== '') {
    return [invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  }
  const same = ['apiGroup', 'kind', 'name'].every((field) => equal(ownField(source, field), ownField(ref, field)));
  return same ? [] : [invalid(path, {}, 'must match dataSourceRef')];
}

const CLAIM_ONLY = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";

function dataSource(source: JsonObject, path: FieldPath): FieldError[] {
  const group = text(source, 'apiGroup');
  const kind = text(source, 'kind');
  return [
    ...requiredText(source, 'name', path),
    ...requiredText(source, 'kind', path),
    ...(group === '' && kind !== 'PersistentVolumeClaim' ? [invalid(path, kind, CLAIM_ONLY)] : []),
    ...(group === '' ? [] : checked(group, path.child('apiGroup'), isDNS1123Subdomain)),
  ];
}

/** Warnings of upstream's GetWarningsForPersistentVolumeClaimSpec. */
export function claimSpecWarnings(spec: JsonObject, path: FieldPath): string[] {
  return ['requests', 'limits'].flatMap((list) =>
    quantities(objectAt(spec, 'resources'), list)
      .filter(([name, value]) => name === 'storage' && !isWhole(value))
      .map(([name, value]) => fractionWarning(value, path.child('resources', list).key(name))),
  );
}

export function fractionWarning(value: string, path: FieldPath): string {
  return `${path}: fractional byte value "${canonicalQuantity(value)}" is invalid, must be an integer`;
}
