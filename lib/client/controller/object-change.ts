import { defined } from '#lib/machinery/defined.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { Change, ChangeType } from '#lib/storage/sequence.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { ObjectChange } from './reconciler.ts';

/** The known parts of the state before a change. */
interface Before {
  readonly body?: Uint8Array;
  readonly generation?: number;
}

/** Converts a stored state to an ObjectChange. The object is parsed only if a reconciler reads it. */
export function changeOf(
  type: ChangeType,
  stored: Pick<StoredObject, 'key' | 'body' | 'summary'> & Partial<Pick<StoredObject, 'version'>>,
  before: Before = {},
): ObjectChange {
  const { body, key } = stored;
  const { group, resource, namespace, name } = parseKey(key);
  const mentions = (text: string) => Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(text);
  let parsed: JsonObject | undefined;
  let parsedBefore: JsonObject | undefined;
  return {
    type,
    group,
    resource,
    namespace,
    name,
    get ownerReferences() {
      return mentions('"ownerReferences"') ? stored.summary.ownerReferences : []; // a summary may require parsing
    },
    mentions,
    object: () => (parsed ??= objectOf(key, body)),
    previous: () => (parsedBefore ??= before.body && objectOf(key, before.body)),
    ...defined({ version: stored.version, previousGeneration: before.generation }),
  };
}

/** Converts a change in a log to an ObjectChange. */
export function loggedChange(change: Change): ObjectChange {
  const { type, key, body, version, previous, previousBody } = change;
  const before = defined({ body: previousBody, generation: previous?.generation });
  return changeOf(type, { key, body, version, summary: change }, before);
}

function objectOf(key: string, body: Uint8Array): JsonObject {
  const value = parseStored(body);
  if (!isObject(value)) throw new TypeError(`${key} holds no object`);
  return value;
}
