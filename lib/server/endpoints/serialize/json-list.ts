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
/** Between the lines of an item of indented JSON. */
const INNER = '\n    ';
const OPEN_INDENTED = Buffer.from(`[${INNER}`);
const COMMA_INDENTED = Buffer.from(`,${INNER}`);
/** The brace that an item of a built-in kind loses with its kind and apiVersion, which lists do not repeat. */
const OPEN_ITEM = Buffer.from('{');

/** How JSON is written. */
export interface Written {
  /** Indented, for people. */
  readonly pretty: boolean;
  readonly turn: Turn;
}

/** A list as JSON, spliced from the objects' bytes while they are read; made of the objects where it is indented. */
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

/** A stored object as an item of a list: built-in kinds do not repeat what they are. */
export function listedObject(definition: ResourceDefinition, stored: StoredObject): JsonObject {
  const { kind, apiVersion: version, ...rest } = servedObject(definition, stored);
  return definition.scheme.typedItems ? { apiVersion: version ?? '', kind: kind ?? '', ...rest } : rest;
}

/** A Table as JSON, its rows made while the objects are read; kinds whose rows have an order are read first. */
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

/** A PartialObjectMetadataList as JSON, made while the objects are read. */
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

/** A document whose last field holds what is made of each object. */
interface ItemsLast {
  /** Its other fields. */
  readonly head: JsonObject;
  readonly field: 'items' | 'rows';
  /** The last field's value where there are no objects. */
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

/** The same in lines; Go ends indented JSON without one. */
const indented = (head: JsonObject, field: string) => ({
  begin: `${indentJson(encodeJson(head)).slice(0, -2)},\n  "${field}": `,
  open: OPEN_INDENTED,
  between: COMMA_INDENTED,
  close: '\n  ]',
  end: '\n}',
});
