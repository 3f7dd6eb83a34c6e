import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { keyContext } from '#lib/storage/encryption/secrets.ts';

/**
 * The key of a control plane, bound to its cluster's id. Undefined without a key id. The KMS part of the SDK is loaded when the first
 * secret is read or written, which few processes do.
 */
export function clusterKey(keyId: string | undefined, clusterId: string): KeyManagement | undefined {
  if (keyId === undefined) return undefined;
  let loaded: Promise<KeyManagement> | undefined;
  const load = async (): Promise<KeyManagement> => {
    const { awsKeyManagement } = await import('./key-management.ts');
    return awsKeyManagement({ keyId, context: keyContext(clusterId) });
  };
  return {
    encrypt: async (dataKey) => (await (loaded ??= load())).encrypt(dataKey),
    decrypt: async (encrypted, id) => (await (loaded ??= load())).decrypt(encrypted, id),
  };
}
