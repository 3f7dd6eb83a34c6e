import { generateKeyPairSync } from 'node:crypto';
import { foundSecret, keptSecret } from '#adapters/aws/dynamodb/kept-secret.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { ISSUER, type ServiceAccountKeys } from '#lib/server/authentication/service-account/identity.ts';
import type { KeyManagement } from '#lib/storage/encryption/kms.ts';

/** The name of a shared secret and the key that encrypts it. */
export interface IdentityOptions {
  readonly clock: Clock;
  readonly name: string;
  /** Without a key, the secret is stored in plain text. */
  readonly kms: KeyManagement | undefined;
}

/** Reads a secret that all processes share. The first process creates it and stores it encrypted in the table. */
export async function sharedSecret(
  table: Table,
  { clock, name, kms }: IdentityOptions,
  make: () => Uint8Array | Promise<Uint8Array>,
): Promise<string> {
  const kept = await keptSecret(table, {
    name,
    clock,
    make: async () => (kms === undefined ? make() : (await kms.encrypt(await make())).encrypted),
  });
  return Buffer.from(kms === undefined ? kept : await kms.decrypt(kept, '')).toString();
}

/** Reads such a secret. Undefined until a process creates it. */
export async function foundSharedSecret(
  table: Table,
  { clock, name, kms }: IdentityOptions,
): Promise<string | undefined> {
  const kept = await foundSecret(table, { name, clock });
  return kept && Buffer.from(kms === undefined ? kept : await kms.decrypt(kept, '')).toString();
}

/** The key that signs service account tokens. It is read when a token is first issued or verified, which most processes never do. */
export const serviceAccountKeys = (table: Table, options: IdentityOptions): ServiceAccountKeys => ({
  issuers: [ISSUER],
  signingKey: () => sharedSecret(table, options, newKey),
});

function newKey(): Uint8Array {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}
