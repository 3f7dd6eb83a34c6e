import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../printer.ts';
import { age } from './cells.ts';
import { named } from './columns.ts';

/** The printer of kinds with only these columns: service accounts, device classes, resource claim templates. */
export const nameAndAge: TablePrinter = {
  columns: named(),
  cells: (object, now) => [nameOf(object), age(object, now)],
};
