import { equal, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { metadataOf } from '#lib/machinery/meta.ts';
import type { ReadAt, Storage, StoredObject } from '#lib/storage/storage.ts';
import { parseOutline } from './outline.ts';

/**
 * Resolves when the definition that is stored under `key` is gone, or serves something else than `known` does, or when `signal`
 * aborts. Upstream's crdHandler: another spec or other accepted names end what was served before.
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

/** The request that watches has asked already: what comes behind that is told by the log. */
const RECENT: ReadAt = { kind: 'any', within: 1000 };

/** A spec that changes gets another generation. */
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
