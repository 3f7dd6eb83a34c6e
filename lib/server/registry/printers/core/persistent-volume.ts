import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, UNSET } from '../cells.ts';
import { column, named, wide } from '../columns.ts';

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

const VOLUME_MODE = wide('VolumeMode', 'Whether it is a file system or a block device.');
const ACCESS_MODE_COLUMN = column('Access Modes', 'How, and from how many nodes, it may be mounted.');
const ATTRIBUTES_CLASS = column('VolumeAttributesClass', 'The class of its attributes that may change.');
const STORAGE_CLASS = column('StorageClass', 'The storage class it is of.');

/** Upstream's printPersistentVolume. */
export const persistentVolume: TablePrinter<PersistentVolume> = {
  columns: [
    ...named(
      column('Capacity', 'How much the volume holds.'),
      ACCESS_MODE_COLUMN,
      column('Reclaim Policy', 'What happens to the volume when its claim goes.'),
      column('Status', 'Whether the volume is available, bound, released, failed or going.'),
      column('Claim', 'The claim that the volume is bound to.'),
      STORAGE_CLASS,
      ATTRIBUTES_CLASS,
      column('Reason', 'Why the volume failed, in a word.'),
    ),
    VOLUME_MODE,
  ],
  cells(object, now) {
    const { spec, status } = object;
    const claim = spec.claimRef;
    return [
      nameOf(object),
      ownField(spec.capacity, 'storage') || '0',
      accessModes(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      phase(object),
      claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      storageClass(object),
      spec.volumeAttributesClassName ?? UNSET,
      status.reason ?? '',
      age(object, now),
      spec.volumeMode ?? UNSET,
    ];
  },
};

/** Upstream's printPersistentVolumeClaim. Shows capacity and access modes only if the claim has a volume. */
export const persistentVolumeClaim: TablePrinter<PersistentVolumeClaim> = {
  columns: [
    ...named(
      column('Status', 'Whether the claim is pending, bound, lost or going.'),
      column('Volume', 'The volume that the claim is bound to.'),
      column('Capacity', 'How much the volume holds.'),
      ACCESS_MODE_COLUMN,
      STORAGE_CLASS,
      ATTRIBUTES_CLASS,
    ),
    VOLUME_MODE,
  ],
  cells(object, now) {
    const { spec, status } = object;
    const volume = spec.volumeName ?? '';
    return [
      nameOf(object),
      phase(object),
      volume,
      volume === '' ? '' : ownField(status.capacity, 'storage') || '0',
      volume === '' ? '' : accessModes(status.accessModes),
      storageClass(object),
      spec.volumeAttributesClassName ?? UNSET,
      age(object, now),
      spec.volumeMode ?? UNSET,
    ];
  },
};

const phase = (object: PersistentVolume | PersistentVolumeClaim): string =>
  isDeleting(object) ? 'Terminating' : (object.status.phase ?? '');

const storageClass = (object: PersistentVolume | PersistentVolumeClaim): string =>
  annotationsOf(object)[CLASS_ANNOTATION] ?? object.spec.storageClassName ?? '';

function accessModes(modes: readonly string[] = []): string {
  const known = ACCESS_MODES.filter(([mode]) => modes.includes(mode));
  return known.map(([, short]) => short).join(',');
}
