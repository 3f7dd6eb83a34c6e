import { expect, test } from 'vitest';
import { aBody, aProposal, World } from '#test/support/stream/world.ts';
import { EncryptedStore } from './encrypted-store.ts';
import type { KeyManagement } from './kms.ts';
import { secretsUnder } from './secrets.ts';

/** A key provider that reverses the bytes of data keys. */
const kms: KeyManagement = {
  encrypt: async (dataKey) => ({ encrypted: dataKey.map((byte) => byte ^ 0xff), keyId: 'k' }),
  decrypt: async (encrypted) => encrypted.map((byte) => byte ^ 0xff),
};

test.each([
  ['secrets', kms, false],
  ['configmaps', kms, true],
  ['secrets', undefined, true],
])('stores %s under %j as configured, and reads them from the log', async (resource, key, readable) => {
  const world = new World();
  const name = `main//${resource}`;
  const open = () => new EncryptedStore(world.store, secretsUnder(key, world.clock)).sequence(name);
  const body = aBody('a', { data: { password: 'aHVudGVyMg==' } });
  await open().append(1, [aProposal('a', 'ADDED', { key: `${name}/default/a`, body })], { nonce: 'n' });
  const all = { limit: 9, consistent: true };
  const textOf = (changes: readonly { body: Uint8Array }[]) => Buffer.from(changes[0]?.body ?? []).toString();
  expect(textOf((await world.store.sequence(name).readLog(0, all)).changes).includes('aHVudGVyMg==')).toBe(readable);
  expect(textOf((await open().readLog(0, all)).changes)).toContain('aHVudGVyMg==');
});
