/** Long and short names of one type: `io.k8s.api.core.v1.PodSpec`, `k8s.io.api.core.v1.PodSpec`, `core.v1.PodSpec`. */
const PREFIXES: readonly (readonly [string, string])[] = [
  ['io.k8s.api.', ''],
  ['io.k8s.apimachinery.pkg.apis.', ''],
  ['io.k8s.apiextensions-apiserver.pkg.apis.', ''],
  ['io.k8s.kube-aggregator.pkg.apis.', ''],
  ['io.k8s.apimachinery.pkg.', ''],
];

/** The short name of a schema: `core.v1.Pod`. */
export function shortName(schema: string): string {
  const found = PREFIXES.find(([prefix]) => schema.startsWith(prefix));
  if (found === undefined) throw new Error(`no short name for ${schema}`);
  return found[1] + schema.slice(found[0].length);
}

/** The schema that a `$ref` refers to. */
export const schemaOfRef = (ref: string): string => ref.replace('#/components/schemas/', '');

/** The OpenAPI schema for a protobuf message. */
export const schemaOfMessage = (message: string): string => message.replace(/^k8s\.io\./, 'io.k8s.').replace(/_/g, '-');

/** The protobuf message for an OpenAPI schema. */
export const messageOfSchema = (schema: string): string =>
  schema
    .replace(/^io\.k8s\./, 'k8s.io.')
    .replace('apiextensions-apiserver', 'apiextensions_apiserver')
    .replace('kube-aggregator', 'kube_aggregator');
