import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import type { CellBudget } from '#lib/server/registry/cell-budget.ts';
import type { TablePrinter } from '#lib/server/registry/printer.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import { servedObject } from '#lib/server/registry/store/encode.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { Batches } from './chunks.ts';
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
  /** The version of meta.k8s.io: `v1` or `v1beta1`. */
  readonly version: string;
  /** False for all but the first event of a watch. */
  readonly headers: boolean;
  /** The budget shared by all cells of a request. */
  readonly budget: CellBudget;
}

/** Returns a `meta.k8s.io` Table of one object in the served version, as `kubectl get` shows it. */
export const table = (
  { printer }: Pick<ResourceDefinition, 'printer'>,
  object: JsonObject,
  request: TableRequest,
): JsonObject => ({ ...tableHead(printer, request), rows: [tableRow(printer, object, request)] });

/** Returns a Table without its rows, which are its last field. */
export function tableHead({ columns }: TablePrinter, { metadata, version, headers }: TableRequest): JsonObject {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: headers ? columns.map((column) => ({ ...column })) : null,
  };
}

/** Yields the objects in the order of a list's rows. If that differs from the key order, all objects are in memory at once. */
export async function* inRowOrder(
  definition: ResourceDefinition,
  batches: Batches,
): AsyncGenerator<readonly StoredObject[], void> {
  const { compare } = definition.printer;
  if (compare === undefined) return yield* batches;
  const all: { readonly stored: StoredObject; readonly object: JsonObject }[] = [];
  for await (const batch of batches) {
    for (const stored of batch) all.push({ stored, object: servedObject(definition, stored) });
  }
  yield all.sort((a, b) => compare(a.object, b.object)).map(({ stored }) => stored);
}

/** Returns one row for an object in the served version. */
export function tableRow(printer: TablePrinter, object: JsonObject, request: TableRequest): JsonObject {
  const { include, now, version, budget } = request;
  const conditions = printer.conditions?.(object) ?? [];
  const shown = conditions.length === 0 ? {} : { conditions };
  return { cells: printer.cells(object, now, budget), ...shown, object: rowObject(object, include, version) };
}

function rowObject(object: JsonObject, include: IncludeObject, version: string): Json {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialMetadata(object, version);
}
