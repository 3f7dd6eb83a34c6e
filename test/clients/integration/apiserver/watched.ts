import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { WatchEvent } from './events.ts';
import { metadataOf } from './kinds.ts';
import type { Api } from './matrix.ts';

/** Each event as its type and the name of its object. */
export const shown = (found: readonly WatchEvent[]): string[] =>
  found.map(({ type, object }) => `${type} ${String(metadataOf(object)['name'] ?? '')}`.trim());

/** A labelled config map to create. */
export const configMap = (name: string, labels: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
});

/** Creates a namespace and returns the path of its config maps. */
export async function collection({ namespace }: Api): Promise<string> {
  return `/api/v1/namespaces/${await namespace()}/configmaps`;
}
