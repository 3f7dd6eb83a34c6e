/** Names an object of a kind: upstream's types.NamespacedName. The namespace of a cluster-scoped object is empty. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** The key of an object in queues: `namespace/name`, or only the name of a cluster-scoped object. Upstream's MetaNamespaceKeyFunc. */
export const keyOf = ({ namespace, name }: NamespacedName): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/** Splits a key at its first slash. A key without a slash is a name. Upstream's SplitMetaNamespaceKey. */
export function splitKey(key: string): NamespacedName {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}
