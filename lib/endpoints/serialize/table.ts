import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { finished, type Steps } from '#lib/machinery/steps.ts';
import type { CellBudget } from '#lib/registry/cell-budget.ts';
import type { TablePrinter } from '#lib/registry/printer.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import { partialMetadata } from './partial-metadata.ts';

/** The part of each object that a Table includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Decodes `includeObject`. Throws 400 for an unknown value. */
export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const wrong = `Invalid value: ${quote(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: includeObject: ${wrong}`);
}

/** The metadata and options of a Table. */
export interface TableRequest {
  readonly metadata: JsonObject;
  readonly include: IncludeObject;
  readonly now: Date;
  /** `v1` or `v1beta1` of meta.k8s.io. */
  readonly version: string;
  /** False for the events of a watch behind the first. */
  readonly headers: boolean;
  /** One for all that a request shows. */
  readonly budget: CellBudget;
}

type Printed = Pick<ResourceDefinition, 'printer'>;

/** A `meta.k8s.io` Table of one object in the served version: what `kubectl get` shows. */
export const table = (definition: Printed, object: JsonObject, request: TableRequest): JsonObject =>
  finished(tableSteps(definition, [object], request));

/** The same of a list; pauses behind each row. */
export function* tableSteps(
  { printer }: Printed,
  objects: readonly JsonObject[],
  request: TableRequest,
): Steps<JsonObject> {
  const { metadata, version, headers } = request;
  const sorted = printer.compare === undefined ? objects : [...objects].sort(printer.compare);
  const rows: JsonObject[] = [];
  for (const object of sorted) {
    rows.push(row(printer, object, request));
    yield;
  }
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: headers ? printer.columns.map((column) => ({ ...column })) : null,
    rows: rows.length === 0 && printer.nullRows === true ? null : rows,
  };
}

function row(printer: TablePrinter, object: JsonObject, request: TableRequest): JsonObject {
  const { include, now, version, budget } = request;
  const conditions = printer.conditions?.(object) ?? [];
  const shown = conditions.length === 0 ? {} : { conditions };
  return { cells: printer.cells(object, now, budget), ...shown, object: rowObject(object, include, version) };
}

function rowObject(object: JsonObject, include: IncludeObject, version: string): Json {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialMetadata(object, version);
}
