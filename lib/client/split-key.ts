import type { ObjectRef } from './client.ts';

/** What a queue's key names: `namespace/name`, where names may hold slashes. Upstream's SplitMetaNamespaceKey. */
export function splitKey(key: string): Pick<ObjectRef, 'namespace' | 'name'> {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
