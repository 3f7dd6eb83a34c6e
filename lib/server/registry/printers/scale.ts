import { type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../printer.ts';
import { age } from './cells.ts';
import { AGE_COLUMN, column } from './columns.ts';
import { NAME_COLUMN } from './default.ts';

const replicas = (object: JsonObject, part: string): Json => ownField(objectAt(object, part), 'replicas') ?? null;

/** Prints a Scale. For custom resources, some column types differ and missing replicas are an empty cell. */
export const scalePrinter = (custom: boolean): TablePrinter => ({
  columns: [
    { ...NAME_COLUMN, format: custom ? 'name' : '' },
    column('Desired', 'How many replicas are wanted.', 'integer'),
    column('Available', 'How many replicas there are.', 'integer'),
    { ...AGE_COLUMN, type: custom ? 'date' : 'string' },
  ],
  cells: (object, now) => [
    nameOf(object),
    replicas(object, 'spec') ?? (custom ? null : 0),
    replicas(object, 'status') ?? (custom ? null : 0),
    age(object, now),
  ],
});
