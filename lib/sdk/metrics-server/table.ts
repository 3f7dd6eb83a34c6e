import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Column } from '#lib/sdk/extension-apiserver/storage.ts';
import type { NodeMetrics, PodMetrics, ResourceUsage } from './objects.ts';

/** The columns of upstream's tables. */
export function columnsOf<T extends NodeMetrics | PodMetrics>(
  usage: (object: T, resource: keyof ResourceUsage) => string,
): Column<T>[] {
  return [
    { name: 'cpu', type: 'string', format: 'quantity', value: (object) => usage(object, 'cpu') },
    { name: 'memory', type: 'string', format: 'quantity', value: (object) => usage(object, 'memory') },
    { name: 'Window', type: 'string', format: 'duration', value: ({ window }) => window },
  ];
}

/** The OpenAPI schema of a usage. */
export const USAGE: JsonObject = {
  type: 'object',
  description: 'The use over the window, by resource.',
  additionalProperties: { type: 'string' },
};

/** The OpenAPI schema of an object with a time and a window. */
export const schemaOf = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: {
    timestamp: { type: 'string', format: 'date-time', description: 'The time at which the use was measured.' },
    window: { type: 'string', description: 'The time over which the use was measured: it ends at timestamp.' },
    ...properties,
  },
});
