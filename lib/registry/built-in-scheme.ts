import { decodeMessage } from '#lib/api/codec/protobuf/decode.ts';
import { encodeMessage } from '#lib/api/codec/protobuf/encode.ts';
import { applyDefaults } from '#lib/api/defaults.ts';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { convert } from '#lib/api/conversion/convert.ts';
import { findKind } from '#lib/api/kinds.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion, parseApiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import { typedSchema } from '#lib/patch/apply/kind-schema.ts';
import { patchSchema } from '#lib/patch/strategic/kind-schema.ts';
import type { ObjectScheme } from './resource.ts';
import type { KindStrategy } from './strategy.ts';

/** How objects of a built-in kind are read and written: by the table of facts, and the kind's own defaults. */
export function builtInScheme(
  kind: GroupVersionKind,
  strategy: KindStrategy = {},
  storedAs: GroupVersionKind = kind,
): ObjectScheme {
  const same = apiVersion(kind) === apiVersion(storedAs);
  const version = apiVersion(kind);
  return {
    kind,
    decode: (value) => decodeTyped(kind, value),
    default(object) {
      applyDefaults(kind, object);
      if (same) strategy.default?.(object);
    },
    toHub: (object) => (same ? object : defaulted(convert(object, storedAs), storedAs, strategy)),
    fromHub: (hub) => (same ? hub : convert(hub, kind)),
    toStored: (hub) => hub,
    fromStored: (stored) => (same ? stored : convert(stored, kind)),
    storedAsServed: same,
    viewName: version,
    get strategic() {
      return patchSchema(kind);
    },
    get typed() {
      return typedSchema(kind);
    },
    encodeProtobuf: (object) => encodeMessage(version, kind.kind, object),
    decodeProtobuf: (bytes) => decodeMessage(version, kind.kind, bytes),
    knows: (given) => knows(given),
    typedItems: false,
  };
}

/** Defaults of the hub's version, where the request came in another. */
function defaulted(hub: JsonObject, kind: GroupVersionKind, strategy: KindStrategy): JsonObject {
  applyDefaults(kind, hub);
  strategy.default?.(hub);
  return hub;
}

function knows(given: { apiVersion: string; kind: string }): boolean {
  const parsed = parseApiVersion(given.apiVersion);
  return parsed !== undefined && findKind({ ...parsed, kind: given.kind }) !== undefined;
}
