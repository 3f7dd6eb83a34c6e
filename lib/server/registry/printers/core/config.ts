import type { ConfigMap, Secret } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

const keys = (map: JsonObject = {}): number => Object.keys(map).length;

/** Upstream's printConfigMap. */
export const configMap: TablePrinter<ConfigMap> = {
  columns: named(column('Data', 'The number of keys.')),
  cells: (object, now) => [nameOf(object), keys(object.data) + keys(object.binaryData), age(object, now)],
};

/** Upstream's printSecret. */
export const secret: TablePrinter<Secret> = {
  columns: named(
    column('Type', 'What the secret is for, and so which keys it has.'),
    column('Data', 'The number of keys.'),
  ),
  cells: (object, now) => [nameOf(object), object.type ?? '', keys(object.data), age(object, now)],
};
