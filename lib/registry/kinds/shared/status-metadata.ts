import { clone, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure } from '#lib/machinery/unstructured.ts';

/** What a status write may say of the metadata beside the version that it is based on. */
const OWN = ['managedFields', 'resourceVersion'];

/** Upstream's ResetObjectMetaForStatus: a status endpoint leaves the metadata as it is. */
export function keepMetadata(object: JsonObject, old: JsonObject): void {
  const given = ensure(object, 'metadata');
  const metadata = clone(objectAt(old, 'metadata') ?? {});
  for (const field of OWN) {
    const value = ownField(given, field);
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  object['metadata'] = metadata;
}
