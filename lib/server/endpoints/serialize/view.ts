import { encodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import { isStoredAsServed, servedObject } from '#lib/server/registry/store/encode.ts';
import type { Result } from '#lib/server/registry/store/result.ts';
import type { StoredObject } from '#lib/storage/storage.ts';

/** Returns a result in the version that `definition` serves. */
export function resultObject(definition: ResourceDefinition, result: Result): JsonObject {
  return 'stored' in result ? servedObject(definition, result.stored) : result.object;
}

/** Returns the JSON of a stored object as served: the stored bytes if they are identical, otherwise derived once per change. */
export function jsonView(definition: ResourceDefinition, stored: StoredObject): Uint8Array {
  if (isStoredAsServed(definition, stored.body)) return stored.body;
  return memoized(stored, definition.scheme.viewName, () => {
    const view = encodeObject(servedObject(definition, stored));
    return Buffer.compare(view, stored.body) === 0 ? stored.body : view;
  });
}

/** Returns the length of `{"kind":"…","apiVersion":"…",`. The encoder writes these fields first, so it is constant. */
export function headLength({ scheme }: ResourceDefinition): number {
  const head = { kind: scheme.kind.kind, apiVersion: apiVersion(scheme.kind) };
  return Buffer.byteLength(JSON.stringify(head));
}

/** Returns the Kubernetes protobuf of a stored object, in its envelope. It is derived once per change. */
export function protobufView(definition: ResourceDefinition, stored: StoredObject): Uint8Array {
  return memoized(stored, `${definition.scheme.viewName};protobuf`, () =>
    encodeUnknown({
      apiVersion: apiVersion(definition.scheme.kind),
      kind: definition.scheme.kind.kind,
      raw: protobufItem(definition, stored),
    }),
  );
}

/** Returns the message of a stored object without an envelope, as lists contain it. */
export function protobufItem(definition: ResourceDefinition, stored: StoredObject): Uint8Array {
  const { scheme } = definition;
  if (scheme.encodeProtobuf === undefined) throw new TypeError(`${scheme.kind.kind} has no protobuf form`);
  return scheme.encodeProtobuf(servedObject(definition, stored));
}

function memoized(stored: StoredObject, name: string, derive: () => Uint8Array): Uint8Array {
  const known = stored.views.get(name);
  if (known !== undefined) return known;
  const view = derive();
  stored.views.set(name, view);
  return view;
}
