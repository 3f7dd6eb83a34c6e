import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';

const SUFFIX = '.static.k8s.io';

/** Names that are kept for configurations which a server reads from its own files. */
export function staticNameWarnings(object: JsonObject): string[] {
  if (!text(objectAt(object, 'metadata'), 'name').endsWith(SUFFIX)) return [];
  const reserved = 'are reserved for static manifest-based configurations and cannot be managed via the API';
  return [`metadata.name: names ending with "${SUFFIX}" ${reserved}`];
}
