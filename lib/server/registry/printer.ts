import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import type { CellBudget } from './cell-budget.ts';

/** `metav1.TableColumnDefinition`. */
export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: '' | 'name' | 'password' | 'int32' | 'int64' | 'date-time' | 'quantity' | 'duration';
  readonly description: string;
  /** 0 is always shown. Higher values are shown only by `kubectl get -o wide`. */
  readonly priority: number;
}

/** Prints objects of a kind as table rows: upstream's printers. `T` is the type of the kind's objects. */
export interface TablePrinter<T extends JsonObject = JsonObject> {
  readonly columns: readonly TableColumn[];
  /**
   * The cells of one row, in column order. `now` is used for ages. `budget` limits user-defined columns and defaults to a new budget for
   * this row.
   */
  cells(object: T, now: Date, budget?: CellBudget): Json[];
  /** The row's `conditions`, for a completed object. */
  conditions?(object: T): JsonObject[];
  /** Prints null instead of an empty list if there are no rows. */
  readonly nullRows?: boolean;
  /** The order of a list's rows, if it differs from key order. */
  compare?(a: T, b: T): number;
}
