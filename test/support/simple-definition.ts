import type { JsonObject } from '#lib/machinery/json-value.ts';

interface Simple {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  /** Properties of the schema. By default, any field is kept. */
  readonly properties?: JsonObject;
  readonly subresources?: JsonObject;
}

/** A definition of one namespaced kind with one version, v1. */
export function simpleDefinition({ group, plural, kind, properties, subresources }: Simple) {
  const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
  const schema = properties === undefined ? { 'x-kubernetes-preserve-unknown-fields': true } : { properties };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(subresources && { subresources }),
          schema: { openAPIV3Schema: { type: 'object', ...schema } },
        },
      ],
    },
  };
}
