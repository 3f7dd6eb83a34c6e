import type { TableColumn } from '../printer.ts';
import { NAME_COLUMN } from './default.ts';

/** A column that `kubectl get` always shows. */
export const column = (name: string, description: string, type: TableColumn['type'] = 'string'): TableColumn => ({
  name,
  type,
  format: '',
  description,
  priority: 0,
});

/** A column of `kubectl get -o wide`. */
export const wide = (name: string, description: string): TableColumn => ({ ...column(name, description), priority: 1 });

/** The age, which is the last default column of most kinds. */
export const AGE_COLUMN: TableColumn = column('Age', 'How long ago the object was created.');

/** The columns for a template's containers. */
export const CONTAINER_COLUMNS: readonly TableColumn[] = [
  wide('Containers', 'The names of the containers in the template.'),
  wide('Images', 'The images of the containers in the template.'),
];

/** The selector column of kinds that select pods. */
export const SELECTOR_COLUMN: TableColumn = wide('Selector', 'Selects the pods by their labels.');

/** The columns of most kinds: the name, the kind's own columns and the age. */
export const named = (...own: readonly TableColumn[]): readonly TableColumn[] => [NAME_COLUMN, ...own, AGE_COLUMN];
