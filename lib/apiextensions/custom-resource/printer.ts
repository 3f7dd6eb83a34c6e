import { marshal } from '#lib/machinery/go.ts';
import { humanDuration } from '#lib/machinery/human-duration.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { dateOf, parseTime, TimeError } from '#lib/machinery/time.ts';
import type { TableColumn, TablePrinter } from '#lib/registry/printer.ts';
import { NAME_COLUMN } from '#lib/registry/printers/default.ts';
import { formatFloat, kindOf } from '#lib/schema/kinds.ts';
import type { Column } from '../definition.ts';
import { evaluate } from '../jsonpath/evaluate.ts';
import { parsePath, PathError, type Node } from '../jsonpath/parse.ts';

/** What a definition without columns shows. */
const AGE: Column = {
  name: 'Age',
  type: 'date',
  format: '',
  description: 'When the object was created, by the clock of the server.',
  priority: 0,
  jsonPath: '.metadata.creationTimestamp',
};

/** The table of a custom resource: its name and the columns that the definition gives. */
export function customResourcePrinter(given: readonly Column[]): TablePrinter {
  const columns = (given.length === 0 ? [AGE] : given).map((column) => ({ column, path: tryParse(column.jsonPath) }));
  const broken = columns.findIndex(({ path }) => path === undefined);
  const shown = broken < 0 ? columns : columns.slice(0, broken);
  return {
    columns: [NAME_COLUMN, ...shown.map(({ column }) => header(column))],
    cells: (object, now) => [nameOf(object), ...shown.map(({ column, path }) => cell(object, column.type, path, now))],
  };
}

function tryParse(jsonPath: string): Node | undefined {
  try {
    return parsePath(jsonPath);
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}

const header = ({ name, type, format, description, priority, jsonPath }: Column): TableColumn => ({
  name,
  type: type as TableColumn['type'],
  format: format as TableColumn['format'],
  description: description === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description,
  priority,
});

function cell(object: JsonObject, type: string, path: Node | undefined, now: Date): Json {
  const [value] = path === undefined ? [] : found(path, object);
  if (value === undefined) return null;
  if (type === 'string') return printed(value);
  return value === null ? null : typedCell(value, type, now);
}

function found(path: Node, object: JsonObject): Json[] {
  try {
    return evaluate(path, object);
  } catch (error) {
    if (error instanceof PathError) return [];
    throw error;
  }
}

/** What kubectl's JSONPath prints of one value. */
function printed(value: Json): string {
  if (value === null) return '<no value>';
  if (typeof value === 'object') return marshal(value);
  return typeof value === 'number' ? formatFloat(value) : String(value);
}

function typedCell(value: Json, type: string, now: Date): Json {
  const kind = kindOf(value);
  const numeric = kind === 'integer' || kind === 'number';
  if (type === 'integer' && numeric) return kind === 'integer' ? value : Math.trunc(value as number);
  if (type === 'number' && numeric) return Number(value);
  if (type === 'boolean' && kind === 'boolean') return value;
  return type === 'date' && typeof value === 'string' ? age(value, now) : null;
}

function age(text: string, now: Date): string {
  if (text === '' || text === 'null') return '<unknown>';
  try {
    return humanDuration(now.getTime() - dateOf(parseTime(text)).getTime());
  } catch (error) {
    if (error instanceof TimeError) return '<invalid>';
    throw error;
  }
}
