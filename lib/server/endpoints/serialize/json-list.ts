import { encodeJson } from '#lib/machinery/json.ts';
import { indentJson } from '#lib/machinery/json-indent.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import { servedObject } from '#lib/server/registry/store/encode.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import { type Batches, type Chunks, chunked } from './chunks.ts';
import { listedMetadata, metadataList } from './partial-metadata.ts';
import { inRowOrder, type TableRequest, tableHead, tableRow } from './table.ts';
import { headLength, jsonView } from './view.ts';

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
/** The separator between the lines of an item of indented JSON. */
const INNER = '\n    ';
const OPEN_INDENTED = Buffer.from(`[${INNER}`);
const COMMA_INDENTED = Buffer.from(`,${INNER}`);
/** Restores the opening brace of a built-in item. Removing kind and apiVersion, which lists do not repeat, also removes the brace. */
const OPEN_ITEM = Buffer.from('{');

/** How to write JSON. */
export interface Written {
  /** Indented, for human readers. */
  readonly pretty: boolean;
  readonly turn: Turn;
}

/** Returns a list as JSON, spliced from the objects' bytes as they are read. Indented JSON is encoded from the decoded objects. */
export function jsonList(
  definition: ResourceDefinition,
  batches: Batches,
  metadata: JsonObject,
  written: Written,
): Chunks {
  const head = { kind: definition.listKind, apiVersion: apiVersion(definition.scheme.kind), metadata };
  const list = { head, field: 'items', none: '[]' } as const;
  if (written.pretty) {
    const value = (stored: StoredObject) => listedObject(definition, stored);
    return itemsLast(batches, { ...list, ...written, item: pushing(value, written) });
  }
  const cut = definition.scheme.typedItems ? 0 : headLength(definition);
  const item = (parts: Uint8Array[], stored: StoredObject): void => {
    const view = jsonView(definition, stored);
    if (cut > 0) parts.push(OPEN_ITEM, view.subarray(cut));
    else parts.push(view);
  };
  return itemsLast(batches, { ...list, pretty: false, item });
}

/** Returns a stored object as an item of a list. Built-in kinds do not repeat kind and apiVersion. */
export function listedObject(definition: ResourceDefinition, stored: StoredObject): JsonObject {
  const { kind, apiVersion: version, ...rest } = servedObject(definition, stored);
  return definition.scheme.typedItems ? { apiVersion: version ?? '', kind: kind ?? '', ...rest } : rest;
}

/** Returns a Table as JSON, with rows built as the objects are read. Kinds with sorted rows are read completely first. */
export function jsonTable(
  definition: ResourceDefinition,
  batches: Batches,
  request: TableRequest,
  written: Written,
): Chunks {
  const { printer } = definition;
  const value = (stored: StoredObject) => tableRow(printer, servedObject(definition, stored), request);
  const none = printer.nullRows === true ? 'null' : '[]';
  const head = tableHead(printer, request);
  const item = pushing(value, written);
  return itemsLast(inRowOrder(definition, batches), { head, field: 'rows', none, item, ...written });
}

/** Returns a PartialObjectMetadataList as JSON, built as the objects are read. */
export function jsonMetadataList(
  definition: ResourceDefinition,
  batches: Batches,
  list: { readonly version: string; readonly metadata: JsonObject },
  written: Written,
): Chunks {
  const value = (stored: StoredObject) => listedMetadata(definition, stored, list.version);
  const item = pushing(value, written);
  return itemsLast(batches, { head: metadataList(list), field: 'items', none: 'null', item, ...written });
}

type Item = (parts: Uint8Array[], stored: StoredObject) => void;

function pushing(value: (stored: StoredObject) => JsonObject, { pretty }: Written): Item {
  return (parts, stored) => {
    const text = encodeJson(value(stored));
    parts.push(Buffer.from(pretty ? indentJson(text).replaceAll('\n', INNER) : text));
  };
}

/** A document whose last field is an array with one entry per object. */
interface ItemsLast {
  /** The other fields. */
  readonly head: JsonObject;
  readonly field: 'items' | 'rows';
  /** The last field's value if there are no objects. */
  readonly none: '[]' | 'null';
  readonly item: Item;
  readonly pretty: boolean;
  readonly turn?: Turn;
}

function itemsLast(batches: Batches, { head, field, none, item, pretty, turn }: ItemsLast): Chunks {
  const { begin, open, between, close, end } = pretty ? indented(head, field) : compact(head, field);
  let isFirst = true;
  return chunked(batches, {
    head: Buffer.from(begin),
    item(parts, stored) {
      parts.push(isFirst ? open : between);
      isFirst = false;
      item(parts, stored);
    },
    tail: () => Buffer.from(`${isFirst ? none : close}${end}`),
    turn,
  });
}

const compact = (head: JsonObject, field: string) => ({
  begin: `${encodeJson(head).slice(0, -1)},"${field}":`,
  open: OPEN,
  between: COMMA,
  close: ']',
  end: '}\n',
});

/** Returns the indented form. Go ends indented JSON without a newline. */
const indented = (head: JsonObject, field: string) => ({
  begin: `${indentJson(encodeJson(head)).slice(0, -2)},\n  "${field}": `,
  open: OPEN_INDENTED,
  between: COMMA_INDENTED,
  close: '\n  ]',
  end: '\n}',
});
