import { creationTimeOf, nameOf } from '#lib/machinery/meta.ts';
import type { TableColumn, TablePrinter } from '../printer.ts';

export const NAME_COLUMN: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among objects of its kind in one namespace.',
  priority: 0,
};

/** What upstream shows of a kind without a printer of its own. */
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
