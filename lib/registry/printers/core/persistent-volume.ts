import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { at, text, texts } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, textOr, textUnlessNull, UNSET } from '../cells.ts';
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
export const persistentVolume: TablePrinter = {
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
    const spec = objectAt(object, 'spec');
    const claim = objectAt(spec, 'claimRef');
    return [
      nameOf(object),
      textOr(objectAt(spec, 'capacity'), 'storage', '0'),
      accessModes(spec),
      text(spec, 'persistentVolumeReclaimPolicy'),
      phase(object),
      claim === undefined ? '' : `${text(claim, 'namespace')}/${text(claim, 'name')}`,
      storageClass(object),
      textUnlessNull(spec, 'volumeAttributesClassName', UNSET),
      text(objectAt(object, 'status'), 'reason'),
      age(object, now),
      textUnlessNull(spec, 'volumeMode', UNSET),
    ];
  },
};

/** Upstream's printPersistentVolumeClaim: what a claim got is shown once it has a volume. */
export const persistentVolumeClaim: TablePrinter = {
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
    const spec = objectAt(object, 'spec');
    const status = objectAt(object, 'status');
    const volume = text(spec, 'volumeName');
    return [
      nameOf(object),
      phase(object),
      volume,
      volume === '' ? '' : textOr(at(status, 'capacity'), 'storage', '0'),
      volume === '' ? '' : accessModes(status),
      storageClass(object),
      textUnlessNull(spec, 'volumeAttributesClassName', UNSET),
      age(object, now),
      textUnlessNull(spec, 'volumeMode', UNSET),
    ];
  },
};

const phase = (object: JsonObject): string =>
  isDeleting(object) ? 'Terminating' : text(objectAt(object, 'status'), 'phase');

const storageClass = (object: JsonObject): string =>
  annotationsOf(object)[CLASS_ANNOTATION] ?? text(objectAt(object, 'spec'), 'storageClassName');

function accessModes(holder: JsonObject | undefined): string {
  const modes = texts(holder, 'accessModes');
  const known = ACCESS_MODES.filter(([mode]) => modes.includes(mode));
  return known.map(([, short]) => short).join(',');
}
