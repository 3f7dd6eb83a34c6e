import { typedPart } from '#lib/api/typed.ts';
import { shownField, internalForm } from '#lib/api/internal-form.ts';
import { objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { canonicalQuantity, quantities, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { internallyEqual, semanticEqual } from '../../shared/semantic.ts';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import { NOT_POSITIVE, objectName, oneOf, optionalOneOf } from '../../shared/validate.ts';
import { validateNodeSelector } from '../pod/validation/node-selector.ts';
import { SOURCES } from './sources.ts';

const SPEC = FieldPath.of('spec');
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

interface Options {
  readonly path: FieldPath;
  /** Inside a volume attachment: nothing but a CSI source, which is needed. */
  readonly inline: boolean;
  readonly name: string;
  readonly allowInvalidLabelValues: boolean;
}

/** Upstream's ValidatePersistentVolumeSpec. */
export function validateVolumeSpec(spec: JsonObject, options: Options): FieldError[] {
  const { path } = options;
  return [
    ...(options.inline ? inlineErrors(spec, path) : []),
    ...accessModes(texts(spec, 'accessModes'), path.child('accessModes')),
    ...(options.inline ? [] : capacity(spec, path.child('capacity'))),
    ...reclaimPolicy(spec, options),
    ...nodeAffinity(spec, options),
    ...sources(spec, options),
    ...recycledRoot(spec, path),
    ...className(spec, options),
    ...volumeMode(spec, options),
    ...attributesClass(spec, path),
  ];
}

const INLINE = 'in the context of inline volumes';
const notInline = (path: FieldPath): FieldError => forbidden(path, `may not be specified ${INLINE}`);

function inlineErrors(spec: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...(has(spec, 'claimRef') ? [notInline(path.child('claimRef'))] : []),
    ...(quantities(spec, 'capacity').length > 0 ? [notInline(path.child('capacity'))] : []),
    ...(has(spec, 'csi') ? [] : [required(path.child('csi'), `has to be specified ${INLINE}`)]),
  ];
}

function accessModes(modes: readonly string[], path: FieldPath): FieldError[] {
  const shared = modes.some((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  return [
    ...(modes.length === 0 ? [required(path)] : []),
    ...modes.filter((mode) => !ACCESS_MODES.includes(mode)).map((mode) => notSupported(path, mode, ACCESS_MODES)),
    ...(modes.includes('ReadWriteOncePod') && shared
      ? [forbidden(path, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ];
}

function capacity(spec: JsonObject, path: FieldPath): FieldError[] {
  const amounts = quantities(spec, 'capacity');
  const only = amounts.length === 1 && amounts[0]?.[0] === 'storage';
  return [
    ...(amounts.length === 0 ? [required(path)] : []),
    ...(only ? [] : [notSupported(path, shownField('core.v1.PersistentVolumeSpec', spec, 'capacity'), ['storage'])]),
    ...amounts.flatMap(([name, value]) => [
      ...basicErrors(value, path.key(name)),
      ...(signOf(value) > 0 ? [] : [invalid(path.key(name), canonicalQuantity(value), NOT_POSITIVE)]),
    ]),
  ];
}

/** Upstream's validateBasicResource. */
export function basicErrors(value: string, path: FieldPath): FieldError[] {
  const whole = wholeValue(value);
  return whole < 0 ? [invalid(path, whole, 'must be a valid resource quantity')] : [];
}

function reclaimPolicy(spec: JsonObject, { path, inline }: Options): FieldError[] {
  const policy = text(spec, 'persistentVolumeReclaimPolicy');
  const where = path.child('persistentVolumeReclaimPolicy');
  if (policy === '') return [];
  if (!inline) return oneOf(policy, where, ['Delete', 'Recycle', 'Retain']);
  return policy === 'Retain' ? [] : [forbidden(where, `may only be Retain ${INLINE}`)];
}

function nodeAffinity(spec: JsonObject, { path, inline, allowInvalidLabelValues }: Options): FieldError[] {
  const affinity = objectAt(spec, 'nodeAffinity');
  const where = path.child('nodeAffinity');
  if (affinity === undefined) return [];
  if (inline) return [notInline(where)];
  const selector = objectAt(affinity, 'required');
  if (selector === undefined) return [required(where.child('required'), 'must specify required node constraints')];
  return validateNodeSelector(typedPart(selector), where.child('required'), allowInvalidLabelValues);
}

function sources(spec: JsonObject, { path, inline, name }: Options): FieldError[] {
  const set = SOURCES.filter(({ field }) => has(spec, field));
  if (set.length === 0) return [required(path, 'must specify a volume type')];
  return set.flatMap((source, i) => {
    // Upstream forgets to refuse a flex volume beside another source.
    if (i > 0 && source.field !== 'flexVolume') {
      return [forbidden(path.child(source.forbiddenAs ?? source.field), 'may not specify more than 1 volume type')];
    }
    const errors = source.validate(
      objectAt(spec, source.field) ?? {},
      path.child(source.validatedAs ?? source.field),
      name,
    );
    const affinity = source.field !== 'local' || (has(spec, 'nodeAffinity') && !inline);
    return affinity ? errors : [...errors, required(path.child('nodeAffinity'), 'Local volume requires node affinity')];
  });
}

function recycledRoot(spec: JsonObject, path: FieldPath): FieldError[] {
  const source = objectAt(spec, 'hostPath');
  const root = source !== undefined && /^\/(\.?\/)*\.?$/.test(text(source, 'path'));
  if (!root || text(spec, 'persistentVolumeReclaimPolicy') !== 'Recycle') return [];
  return [forbidden(path.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'")];
}

function className(spec: JsonObject, { path, inline }: Options): FieldError[] {
  const name = text(spec, 'storageClassName');
  const where = path.child('storageClassName');
  if (name === '') return [];
  return inline ? [notInline(where)] : objectName(name, where);
}

function volumeMode(spec: JsonObject, { path, inline }: Options): FieldError[] {
  if (!inline) return optionalOneOf(spec, 'volumeMode', path, ['Block', 'Filesystem']);
  if (!has(spec, 'volumeMode') || text(spec, 'volumeMode') === 'Filesystem') return [];
  return [forbidden(path.child('volumeMode'), `may not specify volumeMode other than Filesystem ${INLINE}`)];
}

function attributesClass(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!has(spec, 'volumeAttributesClassName')) return [];
  const name = text(spec, 'volumeAttributesClassName');
  const where = path.child('volumeAttributesClassName');
  return [
    ...(name === '' ? [required(where, 'an empty string is disallowed')] : objectName(name, where)),
    ...(has(spec, 'csi')
      ? []
      : [required(path.child('csi'), 'has to be specified when using volumeAttributesClassName')]),
  ];
}

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
/** Sources that take mount options of an annotation. */
const MOUNTABLE = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];

export function validateVolume(volume: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectAt(volume, 'spec') ?? {};
  const name = text(objectAt(volume, 'metadata'), 'name');
  const selector = at(old, 'spec', 'nodeAffinity', 'required');
  const allowInvalidLabelValues =
    selector !== undefined && validateNodeSelector(typedPart(selector), SPEC, false).length > 0;
  const annotated = has(at(volume, 'metadata', 'annotations'), MOUNT_OPTIONS);
  const where = FieldPath.of('metadata', 'annotations').child(MOUNT_OPTIONS);
  return [
    ...validateVolumeSpec(spec, { path: SPEC, inline: false, name, allowInvalidLabelValues }),
    ...(annotated && !MOUNTABLE.some((field) => has(spec, field))
      ? [forbidden(where, 'may not specify mount options for this volume type')]
      : []),
  ];
}

/** Upstream's ValidatePersistentVolumeUpdate: what a volume stands for, and how, never changes. */
export function validateVolumeUpdate(volume: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectAt(volume, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  const mode = ownField(spec, 'volumeMode') ?? null;
  const dropped = has(before, 'volumeAttributesClassName') && !has(spec, 'volumeAttributesClassName');
  return [
    ...validateVolume(volume, old),
    ...sourceKept(spec, before),
    ...(semanticEqual(mode, ownField(before, 'volumeMode')) ? [] : [invalid('volumeMode', mode, IMMUTABLE)]),
    ...affinityKept(spec, before),
    ...(dropped
      ? [forbidden(SPEC.child('volumeAttributesClassName'), 'update from non-nil value to nil is forbidden')]
      : []),
  ];
}

const sourceOf = (spec: JsonObject): JsonObject =>
  Object.fromEntries(
    SOURCES.flatMap(({ field }) => {
      const value = ownField(spec, field);
      return value === undefined ? [] : [[field, value]];
    }),
  );

const shown = (source: JsonObject): Json => internalForm('core.v1.PersistentVolumeSource', source);

function sourceKept(spec: JsonObject, before: JsonObject): FieldError[] {
  const [source, old] = [sourceOf(spec), sourceOf(before)];
  const [csi, oldCSI] = [objectAt(source, 'csi'), objectAt(old, 'csi')];
  // The secret for expansion came later than the rest, and may be added.
  if (csi !== undefined && oldCSI !== undefined && !has(oldCSI, 'controllerExpandSecretRef')) {
    const { controllerExpandSecretRef: _added, ...rest } = csi;
    source['csi'] = rest;
  }
  if (internallyEqual(shown(source), shown(old))) return [];
  const text = `spec.persistentvolumesource is immutable after creation\n${unifiedDiff(shown(old), shown(source))}`;
  return [forbidden(SPEC.child('persistentvolumesource'), text)];
}

/** The labels that were renamed, which an affinity may follow. */
const RENAMED: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

function affinityKept(spec: JsonObject, before: JsonObject): FieldError[] {
  const [affinity, old] = [ownField(spec, 'nodeAffinity') ?? null, ownField(before, 'nodeAffinity') ?? null];
  if (old === null || semanticEqual(affinity, old)) return [];
  const renamed: unknown = JSON.parse(JSON.stringify(old), (field, value: unknown) =>
    field === 'key' && typeof value === 'string' ? (RENAMED[value] ?? value) : value,
  );
  if (JSON.stringify(renamed) === JSON.stringify(affinity)) return [];
  return [
    invalid(
      'nodeAffinity',
      shownField('core.v1.PersistentVolumeSpec', spec, 'nodeAffinity'),
      `${IMMUTABLE}, except for updating from beta label to GA`,
    ),
  ];
}
