import { expect, test } from 'vitest';
import { StoreError } from '../errors.ts';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryDisk, MemoryStore } from '../memory/store.ts';
import { proposal } from '../proposal.conformance.ts';
import { sequenceConformance } from '../sequence.conformance.ts';
import { aesGcm } from './aes.ts';
import { EncryptedStore, type TransformerOf } from './encrypted-store.ts';
import { type KeyManagement, kmsEnvelope } from './kms.ts';
import { openBody } from './sealed-body.ts';
import { secretbox } from './secretbox.ts';
import { encryptionOf } from './transformers.ts';

const secret = (fill: number, length = 32): string => Buffer.alloc(length, fill).toString('base64');
const keys = (...all: [name: string, fill: number][]): string =>
  `{keys: [${all.map(([name, fill]) => `{name: ${name}, secret: ${secret(fill)}}`).join(', ')}]}`;

const none = (): never => {
  throw new TypeError('no adapter');
};

/** The transformers of a configuration that applies one list of providers to every resource. */
const providers = (text: string): TransformerOf =>
  encryptionOf(
    `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: ['*.*'], providers: ${text}}]}`,
    none,
  );

for (const text of ['identity: {}', `aesgcm: ${keys(['a', 1])}`, `secretbox: ${keys(['a', 1])}`]) {
  sequenceConformance(`a memory under ${text.split(':')[0]}`, () => {
    const clock = new ManualClock();
    const retention = 3_600_000;
    const memory = new MemoryDisk();
    return {
      open: () => new EncryptedStore(new MemoryStore({ clock, retention, disk: memory }), providers(`[${text}]`)),
      now: () => clock.now(),
      advance: (milliseconds) => clock.advance(milliseconds),
      jump: (milliseconds) => clock.jump(milliseconds),
      retention,
      sealed: true,
      dispose: () => {},
    };
  });
}

function disk() {
  const clock = new ManualClock();
  const inner = new MemoryStore({ clock, retention: 1, disk: new MemoryDisk() });
  return {
    raw: inner.sequence('main//secrets'),
    as: (text: string) => new EncryptedStore(inner, providers(text)).sequence('main//secrets'),
  };
}

const WHOLE = { limit: 9, consistent: true };
const GCM = 'aesgcm';
const kinds = ['aesgcm', 'aescbc', 'secretbox'];

test.each(kinds)('stores data with the prefix of upstream’s %s, and reads it from log and state', async (kind) => {
  const { raw, as } = disk();
  const log = as(`[${kind}: ${keys(['k1', 1])}]`);
  await log.append(1, [proposal('secret', { previousBody: proposal('before').body })], { nonce: 'n' });
  const [stored] = (await raw.readLog(1, WHOLE)).changes;
  const text = Buffer.from(stored?.body ?? []).toString('latin1');
  expect(text).toMatch(new RegExp(`^\\{"resourceVersion":"2"\\}k8s:enc:${kind}:v1:k1:`));
  expect(text + Buffer.from(stored?.previousBody ?? []).toString('latin1')).not.toMatch(/Thing|"note"/);
  const [change] = (await log.readLog(1, WHOLE)).changes;
  expect(Buffer.from(change?.body ?? []).toString()).toContain('"resourceVersion":"2","name":"x"},"note":"secret"');
  expect(Buffer.from(change?.previousBody ?? [])).toEqual(proposal('before').body);
  await log.compact();
  const { item } = await log.read('main//things/default/secret');
  expect(Buffer.from(item?.body ?? []).toString()).toContain('"resourceVersion":"2","name":"x"},"note":"secret"');
  expect(item?.stale).toBeUndefined();
});

const unable = (why: string) => `unable to transform key "/registry/things/default/a": ${why}`;

test.each<[string, string, string, string | boolean]>([
  ['the same key', `[${GCM}: ${keys(['k1', 1])}]`, `[${GCM}: ${keys(['k1', 1])}]`, false],
  ['a new key before the old one', `[${GCM}: ${keys(['k1', 1])}]`, `[${GCM}: ${keys(['k2', 2], ['k1', 1])}]`, true],
  ['a new key after the old one', `[${GCM}: ${keys(['k1', 1])}]`, `[${GCM}: ${keys(['k1', 1], ['k2', 2])}]`, false],
  ['another provider', `[aescbc: ${keys(['k', 1])}]`, `[${GCM}: ${keys(['k', 1])}, aescbc: ${keys(['k', 1])}]`, true],
  [
    'two providers of one type',
    `[${GCM}: ${keys(['k', 1])}]`,
    `[${GCM}: ${keys(['k', 2])}, ${GCM}: ${keys(['k', 1])}]`,
    true,
  ],
  ['plain text before encryption', `[identity: {}]`, `[${GCM}: ${keys(['k', 1])}, identity: {}]`, true],
  ['plain text after encryption', `[${GCM}: ${keys(['k', 1])}]`, `[identity: {}, ${GCM}: ${keys(['k', 1])}]`, true],
  ['a large object', `[secretbox: ${keys(['k', 1])}]`, `[secretbox: ${keys(['k', 1])}]`, false],
  [
    'a removed key',
    `[${GCM}: ${keys(['k1', 1])}]`,
    `[${GCM}: ${keys(['k2', 2])}]`,
    unable('no matching key was found for the provided AES transformer'),
  ],
  [
    'a wrong AES key',
    `[${GCM}: ${keys(['k', 1])}]`,
    `[${GCM}: ${keys(['k', 2])}]`,
    unable('cipher: message authentication failed'),
  ],
  [
    'a wrong secretbox key',
    `[secretbox: ${keys(['k', 1])}]`,
    `[secretbox: ${keys(['k', 2])}]`,
    unable('output array was not large enough for encryption'),
  ],
  [
    'a removed provider',
    `[${GCM}: ${keys(['k', 1])}]`,
    `[aescbc: ${keys(['k', 1])}]`,
    unable('no matching prefix found'),
  ],
  ['encryption turned off', `[${GCM}: ${keys(['k', 1])}]`, `[identity: {}]`, unable('no matching prefix found')],
  [
    'plain text that is no longer accepted',
    `[identity: {}]`,
    `[${GCM}: ${keys(['k', 1])}]`,
    unable('no matching prefix found'),
  ],
])('rotates providers: %s', async (_, before, after, expected) => {
  const { as } = disk();
  await as(before).append(1, [proposal('a', { body: proposal('a', {}).body })], { nonce: 'n' });
  const read = as(after).readLog(1, WHOLE);
  if (typeof expected === 'string') {
    await expect(read).rejects.toMatchObject({ code: 'Undecryptable', message: expected });
  } else {
    const [change] = (await read).changes;
    expect(change?.stale ?? false).toBe(expected);
  }
});

test('rejects encrypted data without a configuration', async () => {
  const clock = new ManualClock();
  const inner = new MemoryStore({ clock, retention: 1 });
  await new EncryptedStore(inner, providers(`[${GCM}: ${keys(['k', 1])}]`))
    .sequence('s')
    .append(1, [proposal('a')], { nonce: 'n' });
  const plain = new EncryptedStore(inner, () => undefined).sequence('s');
  await expect(plain.readLog(1, WHOLE)).rejects.toThrow('identity transformer tried to read encrypted data');
});

test('rejects one secret in place of another', async () => {
  const cipher = aesGcm(Buffer.alloc(32, 1));
  const stored = await cipher.toStorage(Buffer.from('{}'), 'main//secrets/default/a');
  await expect(cipher.fromStorage(stored, 'main//secrets/default/a')).resolves.toMatchObject({ stale: false });
  await expect(cipher.fromStorage(stored, 'main//secrets/default/b')).rejects.toThrow('message authentication failed');
});

test.each([
  ['secrets', '', 'secrets', true],
  ['secrets', 'apps', 'secrets', false],
  ['*.', '', 'configmaps', true],
  ['*.', 'apps', 'deployments', false],
  ['*.apps', 'apps', 'deployments', true],
  ['*.*', 'example.com', 'things', true],
  ['things.example.com', 'example.com', 'things', true],
])('decides whether %s covers group %j, resource %s: %s', (name, group, resource, is) => {
  const of = encryptionOf(
    `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: ['${name}'], providers: [identity: {}]}]}`,
    none,
  );
  expect(of({ group, resource }) !== undefined).toBe(is);
});

test('rejects data that a wrong key decrypts without authentication', async () => {
  const garbled = {
    toStorage: async () => Buffer.of(),
    fromStorage: async () => ({ data: Buffer.from('{…'), stale: false }),
  };
  const stored = Buffer.from('{"resourceVersion":"5"}k8s:enc:aescbc:v1:k:…');
  await expect(openBody(garbled, stored, 'main//secrets/default/a')).rejects.toMatchObject({
    code: 'Undecryptable',
    message: 'the decrypted data is no object',
  });
});

test('decrypts with secretbox the data that NaCl or secretbox itself sealed', async () => {
  const key = Buffer.from('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389', 'hex');
  const nonce = Buffer.from('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37', 'hex');
  const message = Buffer.from(
    'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705',
    'hex',
  );
  const sealed = Buffer.from(
    'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5',
    'hex',
  );
  const box = secretbox(key);
  const opened = async (stored: Uint8Array) => Buffer.from((await box.fromStorage(stored, '')).data);
  expect(await opened(Buffer.concat([nonce, sealed]))).toEqual(message);
  expect(await opened(await box.toStorage(message, ''))).toEqual(message);
});

test.each([
  [0, '254284ba1e25dfc15574341cf420c164'],
  [1, 'a919b9658287f9e53d5524d16a9bcd618c'],
  [32, 'f6711ff7fb4a6b911406fac440a7771f8c4b11f53b5434eb0c7d18e3a639bb5d708c9c21405ad8ca903ff615fbd94e77'],
  [33, 'cecf6cd4555c2b9892a30568e98abf278c4b11f53b5434eb0c7d18e3a639bb5d708c9c21405ad8ca903ff615fbd94e776c'],
  [
    97,
    '6e20989e72926da5c726b74af52748038c4b11f53b5434eb0c7d18e3a639bb5d708c9c21405ad8ca903ff615fbd94e776cf48facf3b658032ac2307370a0b2550b52be96a01f746453ad7bca92c963982a7c72d9b4c1803ef79bcf3ee00ad44c47f4f64b4d9d098f1e7f6d75364776d1d5',
  ],
])('reads with secretbox the %i bytes that golang.org/x/crypto sealed', async (length, sealed) => {
  const stored = Buffer.concat([Buffer.alloc(24, 9), Buffer.from(sealed, 'hex')]);
  const { data } = await secretbox(Buffer.alloc(32, 7)).fromStorage(stored, '');
  expect(Buffer.from(data)).toEqual(Buffer.from(Array.from({ length }, (_, i) => i)));
});

test('rejects with secretbox any changed bit and truncated data', async () => {
  const box = secretbox(Buffer.alloc(32, 7));
  const stored = await box.toStorage(Buffer.from('secret'), '');
  for (let at = 0; at < stored.length; at++) {
    const changed = Buffer.from(stored);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await expect(box.fromStorage(changed, '')).rejects.toMatchObject({ code: 'Undecryptable' });
  }
  await expect(box.fromStorage(stored.subarray(0, 39), '')).rejects.toThrow('shorter than the required size');
});

/** A provider that reverses bytes and records its calls. */
function provider() {
  const asked: string[] = [];
  const state = { keyId: 'one' };
  const reversed = (bytes: Uint8Array) => Uint8Array.from(bytes).reverse();
  const management: KeyManagement = {
    encrypt: async (key) => (asked.push('encrypt'), { encrypted: reversed(key), keyId: state.keyId }),
    decrypt: async (encrypted, keyId) => (asked.push(`decrypt ${keyId}`), reversed(encrypted)),
  };
  return { asked, state, management };
}

test('calls the provider once an hour for a new data key, and once to decrypt each data key', async () => {
  const { asked, state, management } = provider();
  const clock = new ManualClock();
  const writer = kmsEnvelope(management, clock);
  const [first, second] = [
    await writer.toStorage(Buffer.from('1'), 'k'),
    await writer.toStorage(Buffer.from('2'), 'k'),
  ];
  const reader = kmsEnvelope(management, clock);
  expect(Buffer.from((await reader.fromStorage(first, 'k')).data).toString()).toBe('1');
  expect(await reader.fromStorage(second, 'k')).toMatchObject({ stale: false });
  expect(asked).toEqual(['encrypt', 'decrypt one', 'encrypt']);
  state.keyId = 'two';
  clock.advance(3_600_000);
  expect(await reader.fromStorage(second, 'k')).toMatchObject({ stale: true });
  await expect(reader.fromStorage(second, 'l')).rejects.toThrow('message authentication failed');
  await expect(reader.fromStorage(second.subarray(0, 9), 'k')).rejects.toThrow('shorter than the required size');
  expect(asked).toEqual(['encrypt', 'decrypt one', 'encrypt', 'encrypt']);
});

test('checks the key of the provider once a minute, and follows it', async () => {
  const { asked, state, management } = provider();
  const keyId = async (): Promise<string> => {
    if (state.keyId === '') throw new StoreError('Refused', 'away');
    asked.push('status');
    return state.keyId;
  };
  const clock = new ManualClock();
  const envelope = kmsEnvelope({ ...management, keyId }, clock);
  const first = await envelope.toStorage(Buffer.from('1'), 'k');
  expect(await envelope.fromStorage(first, 'k')).toMatchObject({ stale: false });
  state.keyId = 'two';
  expect(await envelope.fromStorage(first, 'k')).toMatchObject({ stale: false });
  clock.advance(60_000);
  expect(await envelope.fromStorage(first, 'k')).toMatchObject({ stale: true });
  expect(await envelope.fromStorage(await envelope.toStorage(Buffer.from('2'), 'k'), 'k')).toMatchObject({
    stale: false,
  });
  expect(asked).toEqual(['encrypt', 'decrypt one', 'status', 'encrypt', 'decrypt two']);
  state.keyId = '';
  clock.advance(60_000);
  expect(await envelope.fromStorage(first, 'k')).toMatchObject({ stale: true });
});

test('reads with cached data keys while the provider is down, and writes nothing', async () => {
  const { management } = provider();
  let isAway = false;
  const encrypt: KeyManagement['encrypt'] = (key) =>
    isAway ? Promise.reject(new StoreError('Refused', 'away')) : management.encrypt(key);
  const clock = new ManualClock();
  const envelope = kmsEnvelope({ ...management, encrypt }, clock);
  const first = await envelope.toStorage(Buffer.from('1'), 'k');
  await envelope.fromStorage(first, 'k');
  isAway = true;
  clock.advance(3_600_000);
  expect(Buffer.from((await envelope.fromStorage(first, 'k')).data).toString()).toBe('1');
  await expect(envelope.toStorage(Buffer.from('2'), 'k')).rejects.toThrow('away');
});
