import type { PriorityClass } from '#lib/api/types/scheduling.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age } from '../cells.ts';
import { column, named } from '../columns.ts';

/** Upstream's printPriorityClass. */
export const priorityClass: TablePrinter<PriorityClass> = {
  columns: [
    ...named(
      column('Value', 'The priority that pods of the class have.', 'integer'),
      column('Global-Default', 'Whether pods that name no class are of this one.', 'boolean'),
    ),
    column('PreemptionPolicy', 'Whether pods of the class drive out others.'),
  ],
  cells: (object, now) => [
    nameOf(object),
    object.value,
    object.globalDefault ?? false,
    age(object, now),
    object.preemptionPolicy ?? '',
  ],
};
