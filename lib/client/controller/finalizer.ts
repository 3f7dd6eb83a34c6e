import type { KubernetesObject, TypedClient } from '#lib/client/typed-client.ts';

/** Whether the object has the finalizer. */
export const hasFinalizer = ({ metadata: { finalizers = [] } }: KubernetesObject, finalizer: string): boolean =>
  finalizers.includes(finalizer);

/**
 * Adds a finalizer, which keeps a deleted object until the finalizer is removed. Resolves with the updated object. Throws Conflict if the
 * object has changed.
 */
export async function addFinalizer<T extends KubernetesObject>(
  client: TypedClient,
  object: T,
  name: string,
): Promise<T> {
  if (hasFinalizer(object, name)) return object;
  return write(client, object, [...(object.metadata.finalizers ?? []), name]);
}

/** Removes a finalizer. Resolves with the updated object. Throws Conflict if the object has changed. */
export async function removeFinalizer<T extends KubernetesObject>(
  client: TypedClient,
  object: T,
  name: string,
): Promise<T> {
  if (!hasFinalizer(object, name)) return object;
  return write(
    client,
    object,
    (object.metadata.finalizers ?? []).filter((other) => other !== name),
  );
}

function write<T extends KubernetesObject>(client: TypedClient, object: T, finalizers: readonly string[]): Promise<T> {
  const { namespace = '', name = '', resourceVersion, uid } = object.metadata;
  const kind = { apiVersion: object.apiVersion, kind: object.kind };
  return client.patch<T>(kind, { namespace, name }, { metadata: { finalizers, resourceVersion, uid } });
}
