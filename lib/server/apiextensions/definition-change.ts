import { equal, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { metadataOf } from '#lib/machinery/meta.ts';
import type { ReadAt, Storage, StoredObject } from '#lib/storage/storage.ts';
import { parseOutline } from './outline.ts';

/**
 * Resolves when the definition stored under `key` is deleted or serves something other than `known`, or when `signal` aborts. Like
 * upstream's crdHandler, a different spec or different accepted names end everything served before.
 */
export async function definitionChange(
  storage: Storage,
  key: string,
  known: JsonObject,
  signal: AbortSignal,
): Promise<void> {
  const after = await storage.head(RECENT);
  const isOther = (stored: StoredObject | undefined): boolean => stored === undefined || !servesAs(stored, known);
  if (isOther(await storage.get(key, { kind: 'notOlderThan', version: after }))) return;
  for await (const event of storage.watch({ prefix: key, key, after, signal, bookmarks: false })) {
    if (event.type === 'DELETED' || (event.type !== 'BOOKMARK' && isOther(event.object))) return;
  }
}

/** The watch request has already read the latest state. The log reports later changes. */
const RECENT: ReadAt = { kind: 'any', within: 1000 };

/** Whether the stored definition serves the same resources. A changed spec has a different generation. */
function servesAs(stored: StoredObject, known: JsonObject): boolean {
  const crd = parseOutline(stored.body);
  const { uid, generation } = metadataOf(known);
  return (
    metadataOf(crd)['uid'] === uid &&
    equal(metadataOf(crd)['generation'], generation) &&
    equal(acceptedNames(crd), acceptedNames(known))
  );
}

const acceptedNames = (crd: JsonObject): JsonObject | undefined => objectAt(objectAt(crd, 'status'), 'acceptedNames');
