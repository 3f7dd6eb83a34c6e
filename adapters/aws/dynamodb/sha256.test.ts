import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { Sha256 } from './sha256.ts';

const within = Buffer.from('<secret>').subarray(1, 7);

test.each<[string, ConstructorParameters<typeof Sha256>[0]]>([
  ['a text', 'secret'],
  ['bytes', Buffer.from('secret')],
  ['a part of bytes', new DataView(within.buffer, within.byteOffset, within.byteLength)],
  ['a buffer', new Uint8Array(Buffer.from('secret')).buffer],
])('computes the same HMAC as node for %s', async (_, secret) => {
  const hash = new Sha256(secret);
  hash.update('to ');
  hash.update(Buffer.from('sign'));
  expect(Buffer.from(await hash.digest())).toEqual(createHmac('sha256', 'secret').update('to sign').digest());
});

test('hashes without a secret, and starts again after a reset', async () => {
  const hash = new Sha256();
  hash.update('forgotten');
  hash.reset();
  hash.update('é');
  expect(Buffer.from(await hash.digest())).toEqual(createHash('sha256').update('é').digest());
});
