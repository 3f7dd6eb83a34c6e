import { dropRoundTripAnnotations } from '#lib/api/conversion/autoscaling.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import { servedObject } from '#lib/server/registry/store/encode.ts';
import type { StoredObject } from '#lib/storage/storage.ts';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

/**
 * Returns only the metadata of an object: `as=PartialObjectMetadata`. Like upstream, it omits annotations that are fields of the internal
 * type.
 */
export function partialMetadata(object: JsonObject, version = 'v1'): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: internalMetadata(object) };
}

/** A stored object as an item of a PartialObjectMetadataList. */
export const listedMetadata = (definition: ResourceDefinition, stored: StoredObject, version: string): JsonObject =>
  partialMetadata(servedObject(definition, stored), version);

/** Returns a PartialObjectMetadataList without its items, which are its last field. They are null if the list is empty. */
export const metadataList = (list: { readonly version: string; readonly metadata: JsonObject }): JsonObject => ({
  kind: 'PartialObjectMetadataList',
  apiVersion: `meta.k8s.io/${list.version}`,
  metadata: list.metadata,
});

function internalMetadata(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata') ?? {};
  if (objectAt(metadata, 'annotations') === undefined) return metadata;
  switch (`${stringAt(object, 'apiVersion')} ${stringAt(object, 'kind')}`) {
    case 'apps/v1 DaemonSet':
      return withoutEmpty(withoutTemplateGeneration(metadata));
    case 'autoscaling/v1 HorizontalPodAutoscaler':
      return withoutEmpty(dropRoundTripAnnotations(metadata));
    default:
      return metadata;
  }
}

function withoutTemplateGeneration(metadata: JsonObject): JsonObject {
  const { [TEMPLATE_GENERATION]: _, ...annotations } = objectAt(metadata, 'annotations') ?? {};
  return { ...metadata, annotations };
}

function withoutEmpty(metadata: JsonObject): JsonObject {
  if (Object.keys(objectAt(metadata, 'annotations') ?? {}).length > 0) return metadata;
  const { annotations: _, ...rest } = metadata;
  return rest;
}
