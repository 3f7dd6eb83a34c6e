import type { ObjectRef } from './client.ts';

/** Splits a queue's key, `namespace/name`, into namespace and name. Names may contain slashes. Upstream's SplitMetaNamespaceKey. */
export function splitKey(key: string): Pick<ObjectRef, 'namespace' | 'name'> {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
