/**
 * A key is `cluster/group/resource/namespace/name`: `main//pods/default/web`, `main/apps/deployments/default/web`;
 * a cluster-scoped object has an empty namespace. Names hold no slash, so a prefix never splits a part.
 */
export interface ObjectKey {
  readonly cluster: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The name of the cluster if none is configured. */
export const DEFAULT_CLUSTER = 'main';

/** The key of an object; the namespace of cluster-scoped objects is ''. */
export function objectKey({ cluster, group, resource, namespace, name }: ObjectKey): string {
  return `${cluster}/${group}/${resource}/${namespace}/${name}`;
}

/** The prefix of all keys of a resource, or of those in one namespace. */
export function keyPrefix(at: Omit<ObjectKey, 'namespace' | 'name'>, namespace?: string): string {
  const head = `${at.cluster}/${at.group}/${at.resource}/`;
  return namespace === undefined ? head : `${head}${namespace}/`;
}

/** The parts of a key that `objectKey` made; names may hold slashes. */
export function parseKey(key: string): ObjectKey {
  const [cluster = '', group = '', resource = '', namespace = '', ...name] = key.split('/');
  return { cluster, group, resource, namespace, name: name.join('/') };
}

const SURROGATE = /[\ud800-\udfff]/;

/** The order of keys in every backend: that of their UTF-8 bytes. Differs from `<` only beyond U+FFFF. */
export function compareKeys(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
