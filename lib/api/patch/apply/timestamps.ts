import { equal, isObject, type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { withoutManagedFields } from './managed-fields.ts';

/**
 * Returns `next` with the times of `live` if nothing else differs, so that a write without effect stays a no-op: upstream's
 * IgnoreManagedFieldsTimestampsTransformer. Expects decoded objects with defaults filled in.
 */
export function keepTimestamps(live: JsonObject, next: JsonObject): JsonObject {
  const [before, after] = [entriesOf(live), entriesOf(next)];
  if (before.length !== after.length || after.length === 0) return next;
  if (!before.every((entry, i) => equal(withoutTime(entry), withoutTime(after[i] as Json)))) return next;
  if (!equal(withoutManagedFields(live), withoutManagedFields(next))) return next;
  return { ...next, metadata: { ...objectAt(next, 'metadata'), managedFields: before } };
}

function entriesOf(object: JsonObject): Json[] {
  const entries = ownField(objectAt(object, 'metadata'), 'managedFields');
  return Array.isArray(entries) ? entries : [];
}

function withoutTime(entry: Json): Json {
  if (!isObject(entry)) return entry;
  const { time: _, ...rest } = entry;
  return rest;
}
