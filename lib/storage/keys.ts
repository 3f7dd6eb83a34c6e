/**
 * A key is `cluster/group/resource/namespace/name`: `main//pods/default/web`, `main/apps/deployments/default/web`. A cluster-scoped object
 * has an empty namespace. Names contain no slash, so a prefix never splits a part.
 */
export interface ObjectKey {
  readonly cluster: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The default name of the cluster. */
export const DEFAULT_CLUSTER = 'main';

/** The key of an object. The namespace of a cluster-scoped object is empty. */
export function objectKey({ cluster, group, resource, namespace, name }: ObjectKey): string {
  return `${cluster}/${group}/${resource}/${namespace}/${name}`;
}

/** The prefix of all keys of a resource, or of its keys in one namespace. */
export function keyPrefix(at: Omit<ObjectKey, 'namespace' | 'name'>, namespace?: string): string {
  const head = `${at.cluster}/${at.group}/${at.resource}/`;
  return namespace === undefined ? head : `${head}${namespace}/`;
}

/** Parses a key made by `objectKey`. Names may contain slashes. */
export function parseKey(key: string): ObjectKey {
  const [cluster = '', group = '', resource = '', namespace = '', ...name] = key.split('/');
  return { cluster, group, resource, namespace, name: name.join('/') };
}

const SURROGATE = /[\ud800-\udfff]/;

/** Compares keys by their UTF-8 bytes, as every backend does. Differs from `<` only beyond U+FFFF. */
export function compareKeys(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
