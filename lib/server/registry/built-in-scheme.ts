import { decodeTyped } from '#lib/api/codec/decode.ts';
import { decodeMessage } from '#lib/api/codec/protobuf/decode.ts';
import { encodeMessage } from '#lib/api/codec/protobuf/encode.ts';
import { readBack } from '#lib/api/codec/read-back.ts';
import { convert } from '#lib/api/conversion/convert.ts';
import { applyDefaults } from '#lib/api/defaults.ts';
import { findKind } from '#lib/api/kinds.ts';
import { typedSchema } from '#lib/api/patch/apply/kind-schema.ts';
import type { Versioned } from '#lib/api/patch/apply/versions.ts';
import { patchSchema } from '#lib/api/patch/strategic/kind-schema.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { apiVersion, type GroupVersionKind, parseApiVersion } from '#lib/machinery/schema.ts';
import type { ObjectScheme } from './resource.ts';
import type { KindStrategy, OnRead } from './strategy.ts';

/** The scheme of a built-in kind: generated type information plus the kind's own defaults. */
export function builtInScheme(
  kind: GroupVersionKind,
  strategy: KindStrategy = {},
  storedAs: GroupVersionKind = kind,
): ObjectScheme {
  const same = apiVersion(kind) === apiVersion(storedAs);
  const version = apiVersion(kind);
  const fill = (object: JsonObject): void => {
    applyDefaults(kind, object);
    if (same) strategy.default?.(object);
    else strategy.defaultAs?.[kind.version]?.(object);
    readBack(kind, object);
  };
  return {
    kind,
    decode(value, repeated) {
      const decoded = decodeTyped(kind, value, repeated);
      keepReset(value, decoded.object);
      return decoded;
    },
    merged: (value) => decodeTyped(kind, value).object,
    default: fill,
    toHub: (object) => (same ? object : defaulted(convert(object, storedAs), storedAs, strategy)),
    fromHub: (hub) => (same ? hub : convert(hub, kind)),
    toStored: (hub) => hub,
    fromStored: (stored) => {
      strategy.onRead?.change(stored);
      return same ? stored : convert(stored, kind);
    },
    storedAsServed: same,
    ...(strategy.onRead === undefined ? {} : changing(strategy.onRead)),
    viewName: version,
    get strategic() {
      return patchSchema(kind);
    },
    get typed() {
      return typedSchema(kind);
    },
    convert: (from, to) => versioned(from, kind, to),
    encodeProtobuf: (object) => encodeMessage(version, kind.kind, object),
    decodeProtobuf: (bytes) => decodeMessage(version, kind.kind, bytes),
    knows: (given) => knows(given),
    typedItems: false,
  };
}

/** Makes a write of the unchanged object store the changes of a read. */
const changing = ({ concerns }: OnRead): Pick<ObjectScheme, 'changesOnRead' | 'isOutdated'> => ({
  changesOnRead: concerns,
  isOutdated: ({ body }) => concerns(body),
});

/**
 * Keeps an explicit empty `managedFields` list, which resets field management. In no other field does an empty list differ from an absent
 * one.
 */
function keepReset(value: Json, object: JsonObject): void {
  const given = isObject(value) ? ownField(objectAt(value, 'metadata'), 'managedFields') : undefined;
  const metadata = objectAt(object, 'metadata');
  if (metadata !== undefined && Array.isArray(given) && given.length === 0) metadata['managedFields'] = [];
}

/** Converts the object to another version of its kind. Undefined if that version does not exist. */
function versioned(from: Versioned, { kind }: GroupVersionKind, to: string): Versioned | undefined {
  const target = { ...(parseApiVersion(to) ?? { group: '', version: to }), kind };
  if (findKind(target) === undefined) return undefined;
  return { ...from, object: convert(from.object, target), schema: typedSchema(target), apiVersion: to };
}

/** Applies the defaults of the hub version after a conversion from another version. */
function defaulted(hub: JsonObject, kind: GroupVersionKind, strategy: KindStrategy): JsonObject {
  applyDefaults(kind, hub);
  strategy.default?.(hub);
  return hub;
}

function knows(given: { apiVersion: string; kind: string }): boolean {
  const parsed = parseApiVersion(given.apiVersion);
  return parsed !== undefined && findKind({ ...parsed, kind: given.kind }) !== undefined;
}
