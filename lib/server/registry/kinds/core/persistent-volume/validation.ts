import { internalForm, shownField } from '#lib/api/internal-form.ts';
import type { PersistentVolume, PersistentVolumeSource, PersistentVolumeSpec } from '#lib/api/types/core.v1.ts';
import { hasNoField, type Json, ownField } from '#lib/machinery/json-value.ts';
import { canonicalQuantity, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import { internallyEqual, semanticEqual } from '../../shared/semantic.ts';
import { unifiedDiff } from '../../shared/unified-diff.ts';
import { NOT_POSITIVE, objectName, oneOf, optionalOneOf } from '../../shared/validate.ts';
import { validateNodeSelector } from '../pod/validation/node-selector.ts';
import { SOURCES } from './sources.ts';

const SPEC = FieldPath.of('spec');
const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

interface Options {
  readonly path: FieldPath;
  /** Whether the spec is inside a volume attachment, which requires a CSI source and allows no other. */
  readonly inline: boolean;
  readonly name: string;
  readonly allowInvalidLabelValues: boolean;
}

/** Upstream's ValidatePersistentVolumeSpec. */
export function validateVolumeSpec(spec: PersistentVolumeSpec, options: Options): FieldError[] {
  const { path } = options;
  return [
    ...(options.inline ? inlineErrors(spec, path) : []),
    ...accessModes(spec.accessModes ?? [], path.child('accessModes')),
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

function inlineErrors(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  return [
    ...(spec.claimRef !== undefined ? [notInline(path.child('claimRef'))] : []),
    ...(!hasNoField(spec.capacity ?? {}) ? [notInline(path.child('capacity'))] : []),
    ...(spec.csi !== undefined ? [] : [required(path.child('csi'), `has to be specified ${INLINE}`)]),
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

function capacity(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const amounts = sortedEntries(spec.capacity);
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

function reclaimPolicy(spec: PersistentVolumeSpec, { path, inline }: Options): FieldError[] {
  const policy = spec.persistentVolumeReclaimPolicy ?? '';
  const where = path.child('persistentVolumeReclaimPolicy');
  if (policy === '') return [];
  if (!inline) return oneOf(policy, where, ['Delete', 'Recycle', 'Retain']);
  return policy === 'Retain' ? [] : [forbidden(where, `may only be Retain ${INLINE}`)];
}

function nodeAffinity(spec: PersistentVolumeSpec, { path, inline, allowInvalidLabelValues }: Options): FieldError[] {
  const affinity = spec.nodeAffinity;
  const where = path.child('nodeAffinity');
  if (affinity === undefined) return [];
  if (inline) return [notInline(where)];
  const selector = affinity.required;
  if (selector === undefined) return [required(where.child('required'), 'must specify required node constraints')];
  return validateNodeSelector(selector, where.child('required'), allowInvalidLabelValues);
}

function sources(spec: PersistentVolumeSpec, { path, inline, name }: Options): FieldError[] {
  const set = SOURCES.filter(({ field }) => spec[field] !== undefined);
  if (set.length === 0) return [required(path, 'must specify a volume type')];
  return set.flatMap((source, i) => {
    // Upstream does not reject a flex volume next to another source.
    if (i > 0 && source.field !== 'flexVolume') {
      return [forbidden(path.child(source.forbiddenAs ?? source.field), 'may not specify more than 1 volume type')];
    }
    const errors = source.validate(spec, path, name);
    const affinity = source.field !== 'local' || (spec.nodeAffinity !== undefined && !inline);
    return affinity ? errors : [...errors, required(path.child('nodeAffinity'), 'Local volume requires node affinity')];
  });
}

function recycledRoot(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const source = spec.hostPath;
  const root = source !== undefined && /^\/(\.?\/)*\.?$/.test(source.path);
  if (!root || (spec.persistentVolumeReclaimPolicy ?? '') !== 'Recycle') return [];
  return [forbidden(path.child('persistentVolumeReclaimPolicy'), "may not be 'recycle' for a hostPath mount of '/'")];
}

function className(spec: PersistentVolumeSpec, { path, inline }: Options): FieldError[] {
  const name = spec.storageClassName ?? '';
  const where = path.child('storageClassName');
  if (name === '') return [];
  return inline ? [notInline(where)] : objectName(name, where);
}

function volumeMode(spec: PersistentVolumeSpec, { path, inline }: Options): FieldError[] {
  if (!inline) return optionalOneOf(spec, 'volumeMode', path, ['Block', 'Filesystem']);
  if (spec.volumeMode === undefined || (spec.volumeMode ?? '') === 'Filesystem') return [];
  return [forbidden(path.child('volumeMode'), `may not specify volumeMode other than Filesystem ${INLINE}`)];
}

function attributesClass(spec: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  if (spec.volumeAttributesClassName === undefined) return [];
  const name = spec.volumeAttributesClassName ?? '';
  const where = path.child('volumeAttributesClassName');
  return [
    ...(name === '' ? [required(where, 'an empty string is disallowed')] : objectName(name, where)),
    ...(spec.csi !== undefined
      ? []
      : [required(path.child('csi'), 'has to be specified when using volumeAttributesClassName')]),
  ];
}

const MOUNT_OPTIONS = 'volume.beta.kubernetes.io/mount-options';
/** Sources that support the mount options annotation. */
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
] as const;

/** Upstream's ValidatePersistentVolume. `old` is the stored volume on an update. */
export function validateVolume(volume: PersistentVolume, old?: PersistentVolume): FieldError[] {
  const { spec } = volume;
  const name = volume.metadata.name ?? '';
  const selector = old?.spec.nodeAffinity?.required;
  const allowInvalidLabelValues = selector !== undefined && validateNodeSelector(selector, SPEC, false).length > 0;
  const annotated = ownField(volume.metadata.annotations, MOUNT_OPTIONS) !== undefined;
  const where = FieldPath.of('metadata', 'annotations').child(MOUNT_OPTIONS);
  return [
    ...validateVolumeSpec(spec, { path: SPEC, inline: false, name, allowInvalidLabelValues }),
    ...(annotated && !MOUNTABLE.some((field) => spec[field] !== undefined)
      ? [forbidden(where, 'may not specify mount options for this volume type')]
      : []),
  ];
}

/** Upstream's ValidatePersistentVolumeUpdate: the volume's source and mode are immutable. */
export function validateVolumeUpdate(volume: PersistentVolume, old: PersistentVolume): FieldError[] {
  const [spec, before] = [volume.spec, old.spec];
  const mode = spec.volumeMode ?? null;
  const dropped = before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined;
  return [
    ...validateVolume(volume, old),
    ...sourceKept(spec, before),
    ...(semanticEqual(mode, before.volumeMode) ? [] : [invalid('volumeMode', mode, IMMUTABLE)]),
    ...affinityKept(spec, before),
    ...(dropped
      ? [forbidden(SPEC.child('volumeAttributesClassName'), 'update from non-nil value to nil is forbidden')]
      : []),
  ];
}

const sourceOf = (spec: PersistentVolumeSpec): PersistentVolumeSource =>
  Object.fromEntries(SOURCES.flatMap(({ field }) => (spec[field] === undefined ? [] : [[field, spec[field]]])));

const shown = (source: PersistentVolumeSource): Json => internalForm('core.v1.PersistentVolumeSource', source);

function sourceKept(spec: PersistentVolumeSpec, before: PersistentVolumeSpec): FieldError[] {
  const [source, old] = [sourceOf(spec), sourceOf(before)];
  const [csi, oldCSI] = [source.csi, old.csi];
  // The expansion secret is newer than the other fields and may be added.
  if (csi !== undefined && oldCSI !== undefined && oldCSI.controllerExpandSecretRef === undefined) {
    const { controllerExpandSecretRef: _added, ...rest } = csi;
    source.csi = rest;
  }
  if (internallyEqual(shown(source), shown(old))) return [];
  const message = `spec.persistentvolumesource is immutable after creation\n${unifiedDiff(shown(old), shown(source))}`;
  return [forbidden(SPEC.child('persistentvolumesource'), message)];
}

/** Renamed labels. A node affinity may change from the old name to the new one. */
const RENAMED: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

function affinityKept(spec: PersistentVolumeSpec, before: PersistentVolumeSpec): FieldError[] {
  const [affinity, old] = [spec.nodeAffinity ?? null, before.nodeAffinity ?? null];
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
