import type { StorageClass, VolumeAttributesClass } from '#lib/api/types/storage.v1.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

const DEFAULT_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Upstream's printStorageClass. */
export const storageClass: TablePrinter<StorageClass> = {
  columns: named(
    column('Provisioner', 'What makes volumes of the class.'),
    column('ReclaimPolicy', 'What happens to a volume when its claim goes.'),
    column('VolumeBindingMode', 'Whether a claim is bound at once, or when a pod uses it.'),
    column('AllowVolumeExpansion', 'Whether volumes of the class may grow.'),
  ),
  cells: (object, now) => [
    isDefault(object) ? `${nameOf(object)} (default)` : nameOf(object),
    object.provisioner,
    object.reclaimPolicy ?? 'Delete',
    object.volumeBindingMode ?? 'Immediate',
    object.allowVolumeExpansion ?? false,
    age(object, now),
  ],
};

const isDefault = (object: StorageClass): boolean =>
  DEFAULT_ANNOTATIONS.some((key) => annotationsOf(object)[key] === 'true');

/** Upstream's printVolumeAttributesClass. */
export const volumeAttributesClass: TablePrinter<VolumeAttributesClass> = {
  columns: named(column('DriverName', 'The driver that applies the attributes.')),
  cells: (object, now) => [nameOf(object), object.driverName, age(object, now)],
};
