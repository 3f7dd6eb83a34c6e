import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { Turn } from '#lib/machinery/steps.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import { servedObject } from '#lib/registry/store/encode.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import { chunked, type Batches, type Chunks } from './chunks.ts';
import { listedMetadata, metadataList } from './partial-metadata.ts';
import { inRowOrder, tableHead, tableRow, type TableRequest } from './table.ts';
import { headLength, jsonView } from './view.ts';

const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
/** The brace that an item of a built-in kind loses with its kind and apiVersion, which lists do not repeat. */
const OPEN_ITEM = Buffer.from('{');

/** A list as JSON, spliced from the objects' bytes while they are read. */
export function jsonList(definition: ResourceDefinition, batches: Batches, metadata: JsonObject): Chunks {
  const head = { kind: definition.listKind, apiVersion: apiVersion(definition.scheme.kind), metadata };
  const cut = definition.scheme.typedItems ? 0 : headLength(definition);
  const item = (parts: Uint8Array[], stored: StoredObject): void => {
    const view = jsonView(definition, stored);
    if (cut > 0) parts.push(OPEN_ITEM, view.subarray(cut));
    else parts.push(view);
  };
  return itemsLast(batches, { head, field: 'items', none: '[]', item });
}

/** A Table as JSON, its rows made while the objects are read; kinds whose rows have an order are read first. */
export function jsonTable(definition: ResourceDefinition, batches: Batches, request: TableRequest, turn: Turn): Chunks {
  const { printer } = definition;
  return itemsLast(inRowOrder(definition, batches), {
    head: tableHead(printer, request),
    field: 'rows',
    none: printer.nullRows === true ? 'null' : '[]',
    item: (parts, stored) =>
      parts.push(Buffer.from(encodeJson(tableRow(printer, servedObject(definition, stored), request)))),
    turn,
  });
}

/** A PartialObjectMetadataList as JSON, made while the objects are read. */
export function jsonMetadataList(
  definition: ResourceDefinition,
  batches: Batches,
  list: { readonly version: string; readonly metadata: JsonObject },
  turn: Turn,
): Chunks {
  const item = (parts: Uint8Array[], stored: StoredObject) =>
    parts.push(Buffer.from(encodeJson(listedMetadata(definition, stored, list.version))));
  return itemsLast(batches, { head: metadataList(list), field: 'items', none: 'null', item, turn });
}

/** A document whose last field holds what is made of each object. */
interface ItemsLast {
  /** Its other fields. */
  readonly head: JsonObject;
  readonly field: 'items' | 'rows';
  /** The last field's value where there are no objects. */
  readonly none: '[]' | 'null';
  item(parts: Uint8Array[], stored: StoredObject): void;
  readonly turn?: Turn;
}

function itemsLast(batches: Batches, { head, field, none, item, turn }: ItemsLast): Chunks {
  let isFirst = true;
  return chunked(batches, {
    head: Buffer.from(`${encodeJson(head).slice(0, -1)},"${field}":`),
    item(parts, stored) {
      parts.push(isFirst ? OPEN : COMMA);
      isFirst = false;
      item(parts, stored);
    },
    tail: () => Buffer.from(isFirst ? `${none}}\n` : ']}\n'),
    turn,
  });
}
