import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { keyContext } from '#lib/storage/encryption/secrets.ts';

/**
 * The key of a control plane, bound to its cluster's id; undefined where it has none. What the SDK has of KMS is loaded with the
 * first secret that is read or written: few processes live to see one.
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
