import type { ConfigMap, KeyToPath } from '#lib/api/types/core.v1.ts';
import type { Payload } from '../atomic-writer.ts';
import type { VolumeHost } from '../host.ts';
import { keysPayload } from '../keys.ts';
import { payloadPlugin } from '../payload-volume.ts';
import type { VolumePlugin } from '../volume.ts';

/** The part of a source that selects keys of a config map. */
export interface ConfigMapSelection {
  readonly name?: string;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly optional?: boolean;
}

/** The plugin for `configMap` volumes. */
export const configMapPlugin = (host: VolumeHost): VolumePlugin =>
  payloadPlugin(host, {
    name: 'kubernetes.io/configmap',
    medium: '',
    canSupport: ({ volume }) => volume?.configMap !== undefined,
    collect: async ({ volume }, pod) => {
      const { configMap = {} } = volume ?? {};
      return configMapPayload(host, pod.metadata.namespace ?? '', configMap, configMap.defaultMode);
    },
  });

/** The files from a config map. Throws if the config map or a key is missing and the source is not optional. */
export async function configMapPayload(
  { objects }: VolumeHost,
  namespace: string,
  { name = '', items = [], optional = false }: ConfigMapSelection,
  defaultMode: number | undefined,
): Promise<Payload> {
  const configMap = await objects.configMap(namespace, name);
  if (configMap === undefined && !optional) throw new Error(`configmap ${JSON.stringify(name)} not found`);
  const missing = (key: string): string => `configmap references non-existent config key: ${key}`;
  return keysPayload(valuesOf(configMap), { items, defaultMode, optional, missing });
}

/** The values of data and binaryData by key. Data overrides binaryData. */
function valuesOf(configMap: ConfigMap | undefined): Map<string, Uint8Array> {
  const encoder = new TextEncoder();
  const binary = Object.entries(configMap?.binaryData ?? {});
  const texts = Object.entries(configMap?.data ?? {});
  return new Map<string, Uint8Array>([
    ...binary.map(([key, value]): [string, Uint8Array] => [key, Buffer.from(value ?? '', 'base64')]),
    ...texts.map(([key, value]): [string, Uint8Array] => [key, encoder.encode(value)]),
  ]);
}
