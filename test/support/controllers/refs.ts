import type { ObjectRef } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

export const core = (resource: string): GroupVersionResource => ({ group: '', version: 'v1', resource });
export const NAMESPACES = core('namespaces');

export const refOf = (resource: GroupVersionResource, namespace: string, name: string): ObjectRef => ({
  resource,
  namespace,
  name,
});

export const DEFINITIONS: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};
export const WIDGETS: GroupVersionResource = { group: 'example.com', version: 'v1', resource: 'widgets' };

/** A definition for a kind in example.com/v1 that accepts any field. */
export function definition(plural: string, kind: string, scope: 'Namespaced' | 'Cluster' = 'Namespaced'): JsonObject {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}
