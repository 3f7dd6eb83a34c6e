import type { ObjectRef } from './client.ts';

/**
 * The namespace and name of a queue's key, `namespace/name`; names may hold slashes. Upstream's SplitMetaNamespaceKey.
 */
export function splitKey(key: string): Pick<ObjectRef, 'namespace' | 'name'> {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
