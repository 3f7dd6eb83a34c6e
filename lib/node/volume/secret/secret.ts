import type { KeyToPath } from '#lib/api/types/core.v1.ts';
import type { Payload } from '../atomic-writer.ts';
import type { VolumeHost } from '../host.ts';
import { keysPayload } from '../keys.ts';
import { payloadPlugin } from '../payload-volume.ts';
import type { VolumePlugin } from '../volume.ts';

/** The part of a source that selects keys of a secret. */
export interface SecretSelection {
  readonly name?: string;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly optional?: boolean;
}

/** The plugin for `secret` volumes, always in memory. */
export const secretPlugin = (host: VolumeHost): VolumePlugin =>
  payloadPlugin(host, {
    name: 'kubernetes.io/secret',
    medium: 'Memory',
    canSupport: ({ volume }) => volume?.secret !== undefined,
    collect: async ({ volume }, pod) => {
      const { secretName: name = '', items, optional = false, defaultMode } = volume?.secret ?? {};
      return secretPayload(host, pod.metadata.namespace ?? '', { name, items, optional }, defaultMode);
    },
  });

/** The files from a secret. Throws if the secret or a key is missing and the source is not optional. */
export async function secretPayload(
  { objects }: VolumeHost,
  namespace: string,
  { name = '', items = [], optional = false }: SecretSelection,
  defaultMode: number | undefined,
): Promise<Payload> {
  const secret = await objects.secret(namespace, name);
  if (secret === undefined && !optional) throw new Error(`secret ${JSON.stringify(name)} not found`);
  const values = Object.entries(secret?.data ?? {}).map(([key, value]): [string, Uint8Array] => [
    key,
    Buffer.from(value ?? '', 'base64'),
  ]);
  const missing = (key: string): string => `references non-existent secret key: ${key}`;
  return keysPayload(new Map(values), { items, defaultMode, optional, missing });
}
