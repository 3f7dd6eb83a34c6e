import { nameOf, annotationsOf } from '#lib/machinery/meta.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { flag, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, textUnlessNull } from '../cells.ts';
import { column, named } from '../columns.ts';

const DEFAULT_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** Upstream's printStorageClass. */
export const storageClass: TablePrinter = {
  columns: named(
    column('Provisioner', 'What makes volumes of the class.'),
    column('ReclaimPolicy', 'What happens to a volume when its claim goes.'),
    column('VolumeBindingMode', 'Whether a claim is bound at once, or when a pod uses it.'),
    column('AllowVolumeExpansion', 'Whether volumes of the class may grow.'),
  ),
  cells: (object, now) => [
    isDefault(object) ? `${nameOf(object)} (default)` : nameOf(object),
    text(object, 'provisioner'),
    textUnlessNull(object, 'reclaimPolicy', 'Delete'),
    textUnlessNull(object, 'volumeBindingMode', 'Immediate'),
    flag(object, 'allowVolumeExpansion') ?? false,
    age(object, now),
  ],
};

const isDefault = (object: JsonObject): boolean =>
  DEFAULT_ANNOTATIONS.some((key) => annotationsOf(object)[key] === 'true');

/** Upstream's printVolumeAttributesClass. */
export const volumeAttributesClass: TablePrinter = {
  columns: named(column('DriverName', 'The driver that applies the attributes.')),
  cells: (object, now) => [nameOf(object), text(object, 'driverName'), age(object, now)],
};
