import { encodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { encodeMessage } from '#lib/api/codec/protobuf/encode.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import { jsonItem, protobufItem } from './view.ts';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}\n');

/** A list as JSON, spliced from the objects' bytes. */
export function jsonList(
  definition: ResourceDefinition,
  objects: readonly StoredObject[],
  metadata: JsonObject,
): Uint8Array {
  const head = { kind: definition.listKind, apiVersion: apiVersion(definition.scheme.kind), metadata };
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`)];
  const typed = definition.scheme.typedItems;
  for (const [i, stored] of objects.entries()) {
    if (i > 0) parts.push(COMMA);
    if (!typed) parts.push(OPEN);
    parts.push(jsonItem(definition, stored));
  }
  parts.push(END);
  return Buffer.concat(parts);
}

/** The brace that an item loses with its kind and apiVersion. */
const OPEN = Buffer.from('{');

/** A list as Kubernetes protobuf, spliced from the objects' messages: metadata is field 1, items are field 2 of every list. */
export function protobufList(
  definition: ResourceDefinition,
  objects: readonly StoredObject[],
  metadata: JsonObject,
): Uint8Array {
  const parts: Uint8Array[] = [];
  pushField(parts, 1, encodeMessage('meta.k8s.io/v1', 'ListMeta', metadata));
  for (const stored of objects) pushField(parts, 2, protobufItem(definition, stored));
  return encodeUnknown({
    apiVersion: apiVersion(definition.scheme.kind),
    kind: definition.listKind,
    raw: Buffer.concat(parts),
  });
}

function pushField(parts: Uint8Array[], field: number, message: Uint8Array): void {
  parts.push(Uint8Array.of((field << 3) | 2, ...varint(message.length)), message);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
