import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

const keys = (object: JsonObject, field: string): number => Object.keys(objectAt(object, field) ?? {}).length;

/** Upstream's printConfigMap. */
export const configMap: TablePrinter = {
  columns: named(column('Data', 'The number of keys.')),
  cells: (object, now) => [nameOf(object), keys(object, 'data') + keys(object, 'binaryData'), age(object, now)],
};

/** Upstream's printSecret. */
export const secret: TablePrinter = {
  columns: named(
    column('Type', 'What the secret is for, and so which keys it has.'),
    column('Data', 'The number of keys.'),
  ),
  cells: (object, now) => [nameOf(object), text(object, 'type'), keys(object, 'data'), age(object, now)],
};
