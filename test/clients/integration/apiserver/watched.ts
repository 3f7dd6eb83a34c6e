import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { WatchEvent } from './events.ts';
import { metadataOf } from './kinds.ts';
import type { Api } from './matrix.ts';

/** Each event as its type and the name of its object. */
export const shown = (found: readonly WatchEvent[]): string[] =>
  found.map(({ type, object }) => `${type} ${String(metadataOf(object)['name'] ?? '')}`.trim());

/** A config map with labels, to be created. */
export const configMap = (name: string, labels: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
});

/** The path of the config maps of a new namespace. */
export async function collection({ namespace }: Api): Promise<string> {
  return `/api/v1/namespaces/${await namespace()}/configmaps`;
}
