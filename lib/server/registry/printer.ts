import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import type { CellBudget } from './cell-budget.ts';

/** `metav1.TableColumnDefinition`. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: '' | 'name' | 'password' | 'int32' | 'int64' | 'date-time' | 'quantity' | 'duration';
  readonly description: string;
  /** 0 is always shown; higher ones by `kubectl get -o wide`. */
  readonly priority: number;
}

/** How a kind is shown as rows: upstream's printers. `T` is the type of the kind's objects. */
export interface TablePrinter<T extends JsonObject = JsonObject> {
  readonly columns: readonly TableColumn[];
  /** One row's cells, in the columns' order. `now` is for ages, `budget` for columns that users made; default one for this row. */
  cells(object: T, now: Date, budget?: CellBudget): Json[];
  /** `conditions` of a row whose object is done. */
  conditions?(object: T): JsonObject[];
  /** Where no object is shown, the rows are null. */
  readonly nullRows?: boolean;
  /** The order of a list's rows, where it is not that of the keys. */
  compare?(a: T, b: T): number;
}
