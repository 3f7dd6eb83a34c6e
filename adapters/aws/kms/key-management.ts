import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import type { KeyManagement } from '#lib/storage/encryption/kms.ts';
import { StoreError } from '#lib/storage/errors.ts';

/** A key of AWS KMS and the context that binds its ciphertexts. */
export interface Key {
  /** ARN or id. */
  readonly keyId: string;
  /** The encryption context of ciphertext. */
  readonly context: Readonly<Record<string, string>>;
  /** Default: the SDK's usual client. */
  readonly client?: Pick<KMSClient, 'send'>;
}

/** Encrypts data keys with an AWS KMS key. Each is at most 4 KB. */
export function awsKeyManagement({ keyId, context, client = new KMSClient({}) }: Key): KeyManagement {
  const bound = { KeyId: keyId, EncryptionContext: { ...context } };
  return {
    async encrypt(dataKey) {
      const sent = client.send(new EncryptCommand({ ...bound, Plaintext: dataKey }));
      const { CiphertextBlob: encrypted } = await sent.catch(unavailable);
      if (encrypted === undefined) throw new StoreError('Refused', 'KMS answered no ciphertext');
      return { encrypted, keyId };
    },
    async decrypt(encrypted) {
      const sent = client.send(new DecryptCommand({ ...bound, CiphertextBlob: encrypted }));
      const { Plaintext: dataKey } = await sent.catch(unavailable);
      if (dataKey === undefined) throw new StoreError('Refused', 'KMS answered no plaintext');
      return dataKey;
    },
  };
}

function unavailable(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : 'unknown error';
  throw new StoreError('Refused', `KMS did not answer: ${name}`, { cause });
}
