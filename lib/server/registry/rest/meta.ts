import { badRequest } from '#lib/machinery/errors.ts';
import { isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';

/** Returns the object's metadata, creating it if absent. */
export function ensureMetadata(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  if (metadata !== undefined) return metadata;
  const fresh: JsonObject = {};
  object['metadata'] = fresh;
  return fresh;
}

/** Removes fields that only the server sets: upstream's WipeObjectMetaSystemFields. */
export function wipeSystemFields(object: JsonObject): void {
  const metadata = ensureMetadata(object);
  for (const field of SYSTEM_FIELDS) delete metadata[field];
}

/** The metadata fields that only the server sets. */
export const SYSTEM_FIELDS = [
  'creationTimestamp',
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
];

/** Sets the request's namespace, or rejects a different one: upstream's EnsureObjectNamespaceMatchesRequestNamespace. */
export function ensureNamespace(metadata: JsonObject, namespace: string): void {
  const given = stringAt(metadata, 'namespace') ?? '';
  if (given === namespace) return;
  if (namespace === '') {
    delete metadata['namespace'];
    return;
  }
  if (given !== '') {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata['namespace'] = namespace;
}

/** Removes duplicate owner references and warns about them. `when` completes the warning. */
export function dedupOwnerReferences(metadata: JsonObject, warn: (text: string) => void, when = ''): void {
  const references = metadata['ownerReferences'];
  if (!Array.isArray(references) || references.length < 2) return;
  const seen = new Set<string>();
  const kept = references.filter((reference) => {
    const text = JSON.stringify(reference);
    return !seen.has(text) && seen.add(text);
  });
  if (kept.length === references.length) return;
  const twice = references.filter((reference) => !kept.includes(reference));
  const uids = twice.map((reference) => (isObject(reference) ? (stringAt(reference, 'uid') ?? '') : ''));
  metadata['ownerReferences'] = kept;
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`,
  );
}
