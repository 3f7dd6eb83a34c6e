import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { encodeObject, parseStored } from '#lib/machinery/json.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { objectKey } from '#lib/storage/keys.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';

/** The storage key of `name` in the operation's namespace. Throws 400 if the name is not a valid path segment. */
export function keyOf(
  { storedAs, namespaced }: ResourceDefinition,
  { cluster, namespace }: Pick<OperationContext, 'cluster' | 'namespace'>,
  name: string,
): string {
  const [problem] = pathSegmentName(name, false);
  if (problem !== undefined) throw badRequest(`Name parameter invalid: ${quote(name)}: ${problem}`);
  return objectKey({
    cluster,
    group: storedAs.group,
    resource: storedAs.resource,
    namespace: namespaced ? namespace : '',
    name,
  });
}

/** Decodes a stored object into the hub version. Returns a new copy that the caller owns. */
export function decodeStored(definition: ResourceDefinition, stored: StoredObject): JsonObject {
  return definition.scheme.toHub(servedObject(definition, stored));
}

/** Whether a response can copy the stored bytes. */
export const isStoredAsServed = ({ scheme }: ResourceDefinition, body: Uint8Array): boolean =>
  scheme.storedAsServed && scheme.changesOnRead?.(body) !== true;

/** A new copy of a stored object in the version of `definition`. Bytes that are stored as served are only parsed. */
export function servedObject(definition: ResourceDefinition, stored: StoredObject): JsonObject {
  const { scheme, custom } = definition;
  const value = parseStored(stored.body);
  if (!isObject(value)) throw new TypeError(`${stored.key} holds no object`);
  const isServed =
    isStoredAsServed(definition, stored.body) || (custom && stored.views.get(scheme.viewName) === stored.body);
  return isServed ? value : scheme.fromStored(value);
}

/**
 * The bytes to store and their summary for selectors. The bytes of a custom resource equal those that its storage version serves, because
 * the same schema pruned and defaulted them.
 */
export function encodeStored(
  { scheme, storedAs, summarize }: ResourceDefinition,
  hub: JsonObject,
): Pick<StoredObject, 'body' | 'summary'> & { readonly view?: string } {
  const stored = scheme.toStored(hub);
  const view = scheme.typedItems && scheme.kind.version === storedAs.version ? { view: scheme.viewName } : {};
  return { body: encodeObject(stored), summary: summarize(stored), ...view };
}

/** The response of a dry run: the object as a read would return it. */
export async function asReadBack({ scheme, custom }: ResourceDefinition, hub: JsonObject): Promise<JsonObject> {
  if (scheme.readBack !== undefined) return scheme.readBack(hub);
  return custom ? scheme.fromStored(scheme.toStored(hub)) : scheme.fromHub(hub);
}
