import { notFound } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { BuiltInResources } from '#lib/registry/built-in.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import type { OperationContext } from '#lib/registry/rest/context.ts';
import { decodeStored, encodeStored, keyOf } from '#lib/registry/store/encode.ts';
import { get } from '#lib/registry/store/get.ts';
import { keyPrefix } from '#lib/storage/keys.ts';

/** Where an operation looks: its cluster and namespace. */
export type Place = Pick<OperationContext, 'cluster' | 'namespace'>;

/** The definition of a built-in kind of the core group, or of another. */
export function definitionOf(
  builtIn: BuiltInResources,
  resource: string,
  group = '',
  version = 'v1',
): ResourceDefinition {
  const gvr: GroupVersionResource = { group, version, resource };
  const found = builtIn.find(gvr);
  if (found === undefined) throw new TypeError(`no resource ${group}/${version}/${resource}`);
  return found;
}

/** The object as of now: a copy. Throws 404. */
export async function read(definition: ResourceDefinition, op: Place, name: string): Promise<JsonObject> {
  return decodeStored(definition, await get(definition, op, name));
}

/** All objects of a namespace as of now. */
export async function listAll(definition: ResourceDefinition, { cluster, namespace }: Place): Promise<JsonObject[]> {
  const { group, resource } = definition.storedAs;
  const prefix = keyPrefix({ cluster, group, resource }, namespace);
  const { objects } = await definition.storage.list({ prefix, at: { kind: 'fresh' }, limit: 0 });
  return objects.map((stored) => decodeStored(definition, stored));
}

/**
 * Changes a stored object in place, past the strategy and admission, as upstream's virtual storages do. `change` may run
 * again; what it throws ends the write. Throws 404. A dry run checks only.
 */
export async function change(
  definition: ResourceDefinition,
  op: OperationContext,
  name: string,
  apply: (object: JsonObject) => void,
): Promise<string> {
  const { storage, resource } = definition;
  const { result, stored: after } = await storage.mutate(keyOf(definition, op, name), (stored) => {
    if (stored === undefined) throw notFound(resource, name);
    const object = decodeStored(definition, stored);
    apply(object);
    if (op.dryRun) return { action: 'keep', result: stored.version };
    return { action: 'put', ...encodeStored(definition, object), result: stored.version };
  });
  return String(after?.version ?? result);
}
