import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';

/** An object's metadata alone: `as=PartialObjectMetadata`. */
export function partialMetadata(object: JsonObject, version = 'v1'): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: objectAt(object, 'metadata') ?? {},
  };
}
