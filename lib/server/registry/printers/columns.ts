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

/** The age: the last column that most kinds always show. */
export const AGE_COLUMN: TableColumn = column('Age', 'How long ago the object was created.');

/** The columns of a template's containers. */
export const CONTAINER_COLUMNS: readonly TableColumn[] = [
  wide('Containers', 'The names of the containers in the template.'),
  wide('Images', 'The images of the containers in the template.'),
];

/** The selector of a kind that selects pods. */
export const SELECTOR_COLUMN: TableColumn = wide('Selector', 'Selects the pods by their labels.');

/** The name, what a kind has of its own, and the age: the columns of most kinds. */
export const named = (...own: readonly TableColumn[]): readonly TableColumn[] => [NAME_COLUMN, ...own, AGE_COLUMN];
