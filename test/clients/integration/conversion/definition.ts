import type { JsonObject } from '#lib/machinery/json-value.ts';

export const GROUP = 'stable.example.com';
const text = { type: 'string' };
const spec = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

function version(name: string, properties: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    name,
    served: true,
    storage: name === 'v1',
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: spec({ ...properties, replicas: { type: 'integer' } }),
          status: { type: 'object', properties: { replicas: { type: 'integer' }, note: text } },
        },
      },
    },
    ...more,
  };
}

/** The definition's name includes its plural, so every test can have its own. */
export function aDefinition(plural: string, clientConfig: JsonObject): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind: plural, listKind: `${plural}List` },
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
      versions: [
        version('v1', { hostPort: text }),
        version(
          'v2',
          { host: text, port: text, secure: { type: 'boolean', default: true } },
          {
            selectableFields: [{ jsonPath: '.spec.host' }],
          },
        ),
      ],
    },
  };
}

export const path = (plural: string, v: string, name = ''): string =>
  `/apis/${GROUP}/${v}/namespaces/default/${plural}${name === '' ? '' : `/${name}`}`;

export const object = (plural: string, v: string, name: string, fields: JsonObject = {}): JsonObject => ({
  apiVersion: `${GROUP}/${v}`,
  kind: plural,
  metadata: { name },
  spec: v === 'v1' ? { hostPort: `${name}:80` } : { host: name, port: '80' },
  ...fields,
});
