import { typedObject } from '#lib/api/typed.ts';
import { notFound } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import { decodeStored, encodeStored, keyOf } from '#lib/server/registry/store/encode.ts';
import { get } from '#lib/server/registry/store/get.ts';
import { keyPrefix } from '#lib/storage/keys.ts';
import type { StoredObject } from '#lib/storage/storage.ts';

/** The cluster and namespace of an operation. */
export type ClusterScope = Pick<OperationContext, 'cluster' | 'namespace'>;

/** The definition of a built-in kind whose objects have a type. */
export interface DefinitionOf<T extends JsonObject> extends ResourceDefinition {
  readonly resource: ResourceOf<T>;
}

/** The definition of a built-in kind. Throws TypeError if it is not served. */
export function definitionOf<T extends JsonObject>(
  builtIn: BuiltInResources,
  resource: ResourceOf<T>,
): DefinitionOf<T> {
  const found = builtIn.find(resource);
  if (found === undefined)
    throw new TypeError(`no resource ${resource.group}/${resource.version}/${resource.resource}`);
  return found;
}

const decoded = <T extends JsonObject>(definition: DefinitionOf<T>, stored: StoredObject): T =>
  typedObject(definition.resource, decodeStored(definition, stored));

/** Returns a copy of the latest object. Throws 404. */
export async function read<T extends JsonObject>(
  definition: DefinitionOf<T>,
  op: ClusterScope,
  name: string,
): Promise<T> {
  return decoded(definition, await get(definition, op, name));
}

/** Returns all objects of a namespace at the latest version. */
export async function listAll<T extends JsonObject>(
  definition: DefinitionOf<T>,
  { cluster, namespace }: ClusterScope,
): Promise<T[]> {
  const { group, resource } = definition.storedAs;
  const prefix = keyPrefix({ cluster, group, resource }, namespace);
  const { objects } = await definition.storage.list({ prefix, at: { kind: 'fresh' }, limit: 0 });
  return objects.map((stored) => decoded(definition, stored));
}

/**
 * Updates a stored object in place. It bypasses the strategy and admission, like upstream's virtual storages. `change` may run several
 * times, and its error aborts the write. Throws 404. A dry run only checks.
 */
export async function change<T extends JsonObject>(
  definition: DefinitionOf<T>,
  op: OperationContext,
  name: string,
  apply: (object: T) => void,
): Promise<string> {
  const { storage, resource } = definition;
  const { result, stored: after } = await storage.mutate(keyOf(definition, op, name), (stored) => {
    if (stored === undefined) throw notFound(resource, name);
    const object = decoded(definition, stored);
    apply(object);
    if (op.dryRun) return { action: 'keep', result: stored.version };
    return { action: 'put', ...encodeStored(definition, object), result: stored.version };
  });
  return String(after?.version ?? result);
}
