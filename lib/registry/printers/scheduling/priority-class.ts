import { nameOf } from '#lib/machinery/meta.ts';
import { count, flag, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printPriorityClass. */
export const priorityClass: TablePrinter = {
  columns: [
    ...named(
      column('Value', 'The priority that pods of the class have.', 'integer'),
      column('Global-Default', 'Whether pods that name no class are of this one.', 'boolean'),
    ),
    column('PreemptionPolicy', 'Whether pods of the class drive out others.'),
  ],
  cells: (object, now) => [
    nameOf(object),
    count(object, 'value'),
    flag(object, 'globalDefault') ?? false,
    age(object, now),
    text(object, 'preemptionPolicy'),
  ],
};
