import { humanDuration } from '#lib/machinery/human-duration.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { creationTimeOf, nameOf } from '#lib/machinery/meta.ts';
import type { TableColumn, TablePrinter } from '#lib/server/registry/printer.ts';
import type { ServedResource } from './define-aggregated-api.ts';
import { authored } from './scope.ts';
import type { Column } from './storage.ts';

const NAME: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object.',
  priority: 0,
};
const AGE: TableColumn = {
  name: 'Age',
  type: 'string',
  format: '',
  description: 'The time since the object was created.',
  priority: 0,
};

/** Creates the rows of a resource: the name, the author's columns, and the age, unless the author defines an age column. */
export function printerOf({ columns = [], ...given }: Pick<ServedResource, 'columns' | 'hasAge'>): TablePrinter {
  const hasOwnAge = given.hasAge === false || columns.some(({ name }) => name === AGE.name);
  return {
    columns: [NAME, ...columns.map(columnOf), ...(hasOwnAge ? [] : [AGE])],
    cells: (object, now) => [
      nameOf(object),
      ...columns.map((column) => cell(column, object)),
      ...(hasOwnAge ? [] : [ageOf(object, now)]),
    ],
  };
}

const columnOf = ({ name, type, format = '', description = '', priority = 0 }: Column): TableColumn => ({
  name,
  type,
  format,
  description,
  priority,
});

/** Computes a cell. If that fails, returns `<unknown>`, so that one malformed object does not hide the others. */
function cell(column: Column, object: JsonObject): Json {
  try {
    return column.value(authored(object)) ?? null;
  } catch (error) {
    if (error instanceof Error) return '<unknown>';
    throw error;
  }
}

function ageOf(object: JsonObject, now: Date): string {
  const created = creationTimeOf(object);
  return created === undefined ? '<unknown>' : humanDuration(now.getTime() - created.getTime());
}
