import { creationTimeOf, nameOf } from '#lib/machinery/meta.ts';
import type { TableColumn, TablePrinter } from '../printer.ts';

/** The first column of most kinds. */
export const NAME_COLUMN: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among objects of its kind in one namespace.',
  priority: 0,
};

/** Upstream's printer for kinds without their own. */
export const defaultPrinter: TablePrinter = {
  columns: [
    NAME_COLUMN,
    {
      name: 'Created At',
      type: 'date',
      format: '',
      description: 'When the object was created, by the clock of the server.',
      priority: 0,
    },
  ],
  nullRows: true,
  cells: (object) => [nameOf(object), creationTimeOf(object)?.toISOString().replace('.000', '') ?? null],
};
