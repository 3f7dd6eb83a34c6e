import { clone, type Json, type JsonObject } from '#lib/machinery/json-value.ts';

/** Returns a definition for tests: a namespaced CronTab with one version, and the given `spec` and version fields. */
export function aDefinition(spec: JsonObject = {}, version: JsonObject = {}): JsonObject {
  const schema: Json = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { color: { type: 'string', default: 'red' }, replicas: { type: 'integer' } },
        },
        status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
      },
    },
  };
  return clone<JsonObject>({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'crontabs.example.com', resourceVersion: '1' },
    spec: {
      group: 'example.com',
      names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
      ...spec,
    },
  });
}
