import { clone, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at } from '#lib/machinery/unstructured.ts';
import { semanticEqual } from '#lib/registry/kinds/shared/semantic.ts';

/** The label that tells the pods of one revision from those of another. */
export const HASH_LABEL = 'pod-template-hash';

export const templateOf = (owner: JsonObject): JsonObject => at(owner, 'spec', 'template') ?? {};

/** The template without its hash, as a deployment has it. */
export function withoutHash(template: JsonObject): JsonObject {
  const copy = clone(template);
  const labels = at(copy, 'metadata', 'labels');
  if (labels !== undefined) delete labels[HASH_LABEL];
  return copy;
}

export const sameTemplate = (a: JsonObject, b: JsonObject): boolean =>
  semanticEqual(withoutHash(templateOf(a)), withoutHash(templateOf(b)));

/** An object's metadata with more labels. */
export const plusLabel = (metadata: JsonObject | undefined, hash: string): JsonObject => ({
  ...metadata,
  labels: { ...objectAt(metadata, 'labels'), [HASH_LABEL]: hash },
});
