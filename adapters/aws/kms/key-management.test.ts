import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import { expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { kmsEnvelope } from '#lib/storage/encryption/kms.ts';
import { awsKeyManagement } from './key-management.ts';

/** Simulates the service: decrypts its own ciphertext under the same key and context. */
function service() {
  const asked: string[] = [];
  const bound = (input: { KeyId?: string | undefined; EncryptionContext?: object | undefined }): string =>
    `${input.KeyId ?? ''} ${JSON.stringify(input.EncryptionContext)} `;
  const send = async (command: unknown): Promise<object> => {
    if (command instanceof EncryptCommand) {
      asked.push('encrypt');
      const { input } = command;
      return { CiphertextBlob: Buffer.concat([Buffer.from(bound(input)), input.Plaintext ?? Buffer.alloc(0)]) };
    }
    if (!(command instanceof DecryptCommand)) throw new Error('what is this?');
    asked.push('decrypt');
    const { input } = command;
    const blob = Buffer.from(input.CiphertextBlob ?? []);
    const prefix = Buffer.from(bound(input));
    if (!blob.subarray(0, prefix.length).equals(prefix)) throw named('InvalidCiphertextException');
    return { Plaintext: blob.subarray(prefix.length) };
  };
  return { asked, client: { send } as unknown as Pick<KMSClient, 'send'> };
}

function named(name: string): Error {
  const error = new Error('no');
  error.name = name;
  return error;
}

const keyId = 'arn:aws:kms:eu-west-1:123456789012:key/k';

test("one process decrypts another's ciphertext, with one call each", async () => {
  const { asked, client } = service();
  const key = { keyId, context: { cluster: 'main' }, client };
  const [writer, reader] = [awsKeyManagement(key), awsKeyManagement(key)].map((k) => kmsEnvelope(k, systemClock));
  const sealed = await Promise.all(['a', 'b'].map(async (text) => writer?.toStorage(Buffer.from(text), `key-${text}`)));
  const opened = await Promise.all(
    sealed.map(async (bytes, i) => reader?.fromStorage(bytes as Uint8Array, i === 0 ? 'key-a' : 'key-b')),
  );
  expect(opened.map((one) => Buffer.from(one?.data ?? []).toString())).toEqual(['a', 'b']);
  expect(asked.filter((what) => what === 'decrypt')).toHaveLength(1);
});

test('rejects decryption with another context', async () => {
  const { client } = service();
  const { encrypted } = await awsKeyManagement({ keyId, context: { cluster: 'main' }, client }).encrypt(
    Buffer.from('k'),
  );
  const other = awsKeyManagement({ keyId, context: { cluster: 'other' }, client });
  await expect(other.decrypt(encrypted, keyId)).rejects.toMatchObject({ code: 'Refused' });
});
