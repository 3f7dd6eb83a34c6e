import { formatFloat, kindOf } from '#lib/api/schema/kinds.ts';
import { marshal, quote } from '#lib/machinery/go.ts';
import { humanDuration } from '#lib/machinery/human-duration.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { dateOf, parseTime, TimeError } from '#lib/machinery/time.ts';
import { CellBudget, OverBudget } from '#lib/server/registry/cell-budget.ts';
import type { TableColumn, TablePrinter } from '#lib/server/registry/printer.ts';
import { NAME_COLUMN } from '#lib/server/registry/printers/default.ts';
import type { Column } from '../definition.ts';
import { evaluate } from '../jsonpath/evaluate.ts';
import { type Node, PathError, parsePath } from '../jsonpath/parse.ts';

/** The default column of a definition without columns. */
const AGE: Column = {
  name: 'Age',
  type: 'date',
  format: '',
  description: 'When the object was created, by the clock of the server.',
  priority: 0,
  jsonPath: '.metadata.creationTimestamp',
};

interface ShownColumn {
  readonly column: Column;
  readonly path: Node;
}

/**
 * Returns the table printer of a custom resource: its name and the definition's columns. Calls `warn` once for each column that exceeds the
 * budget of a request.
 */
export function customResourcePrinter(given: readonly Column[], warn: (text: string) => void = () => {}): TablePrinter {
  const shown = parsed(given.length === 0 ? [AGE] : given);
  const known = new Set<Column>();
  const onceFor = (column: Column): void => {
    if (!known.has(column)) warn(tooMuch(column));
    known.add(column);
  };
  return {
    columns: [NAME_COLUMN, ...shown.map(({ column }) => header(column))],
    cells(object, now, budget = new CellBudget()) {
      budget.beginRow();
      return [nameOf(object), ...shown.map((one) => cellWithin(budget, one, object, now, onceFor))];
    },
  };
}

/** Returns the columns before the first one with an invalid path, like upstream. */
function parsed(given: readonly Column[]): readonly ShownColumn[] {
  const shown: ShownColumn[] = [];
  for (const column of given) {
    const path = tryParse(column.jsonPath);
    if (path === undefined) break;
    shown.push({ column, path });
  }
  return shown;
}

const tooMuch = ({ name, jsonPath }: Column): string =>
  `the printer column ${quote(name)} (${quote(jsonPath)}) takes too many steps, cells of it are empty`;

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

/** Returns the cell. If the budget is too small, returns an empty cell and calls `overBudget`. */
function cellWithin(
  budget: CellBudget,
  { column, path }: ShownColumn,
  object: JsonObject,
  now: Date,
  overBudget: (column: Column) => void,
): Json {
  budget.beginCell();
  try {
    const [value] = evaluate(path, object, (steps) => budget.spend(steps));
    if (value === undefined) return null;
    if (column.type === 'string') return printed(value, budget);
    return value === null ? null : typedCell(value, column.type, now);
  } catch (error) {
    if (error instanceof OverBudget) overBudget(column);
    else if (!(error instanceof PathError)) throw error;
    return null;
  }
}

/** Prints one value like kubectl's JSONPath. */
function printed(value: Json, budget: CellBudget): string {
  if (value === null) return '<no value>';
  spendOn(value, budget);
  if (typeof value === 'object') return marshal(value);
  return typeof value === 'number' ? formatFloat(value) : String(value);
}

/** Charges the budget for the text of a value before it is produced. */
function spendOn(value: Json, budget: CellBudget): void {
  if (typeof value === 'string') return budget.spendText(value.length);
  if (value === null || typeof value !== 'object') return;
  const entries = Object.entries(value);
  budget.spend(entries.length);
  for (const [name, item] of entries) {
    if (!Array.isArray(value)) budget.spendText(name.length);
    spendOn(item, budget);
  }
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
