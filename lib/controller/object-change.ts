import { parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { Change, ChangeType } from '#lib/storage/sequence.ts';
import type { ObjectChange } from './reconciler.ts';

/** A stored state as reconcilers see it: parsed when, and only if, one of them asks. */
export function changeOf(type: ChangeType, stored: Pick<Change, 'key' | 'body' | 'ownerReferences'>): ObjectChange {
  const { group, resource, namespace, name } = parseKey(stored.key);
  let parsed: JsonObject | undefined;
  const { body, ownerReferences, key } = stored;
  return {
    type,
    group,
    resource,
    namespace,
    name,
    ownerReferences,
    mentions: (text) => Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(text),
    object: () => (parsed ??= objectOf(key, body)),
  };
}

function objectOf(key: string, body: Uint8Array): JsonObject {
  const value = parseStored(body);
  if (!isObject(value)) throw new TypeError(`${key} holds no object`);
  return value;
}
