import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import { certificateApprover } from '#lib/controllers/certificates/approver.ts';
import { certificateAuthority } from '#lib/controllers/certificates/authority.ts';
import { certificateCleaner } from '#lib/controllers/certificates/cleaner.ts';
import { type KeyPair, newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { certificateSigner } from '#lib/controllers/certificates/signer.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const REQUESTS = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const ref = refOf(REQUESTS, '', 'one');
const HOUR = 3_600_000;
const NODE = 'O=system:nodes, CN=system:node:n1';

let signer: KeyPair;
beforeAll(async () => void (signer = await newSigner(new Date(1_700_000_000_000))));

const make: Reconcilers = (client, clock) => [
  certificateApprover(client, clock),
  certificateSigner(client, clock, certificateAuthority(signer)),
  certificateCleaner(client, clock),
];

const ALGORITHMS = {
  ec: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  rsa: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
} as const;

async function pemOf(
  name: string,
  names: readonly string[] = [],
  type: keyof typeof ALGORITHMS = 'ec',
): Promise<string> {
  const signingAlgorithm = ALGORITHMS[type];
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const dns = names.map((value) => ({ type: 'dns' as const, value }));
  const extensions = names.length === 0 ? [] : [new SubjectAlternativeNameExtension(dns)];
  return (await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm, extensions })).toString('pem');
}

interface Asked {
  readonly pem?: string;
  readonly signerName?: string;
  readonly usages?: readonly string[];
  readonly more?: JsonObject;
}

async function ask(
  world: World,
  { pem, signerName = CLIENT, usages = ['client auth'], more = {} }: Asked = {},
): Promise<void> {
  const request = Buffer.from(pem ?? (await pemOf('O=dev, CN=amy'))).toString('base64');
  await world.user.create(REQUESTS, {
    metadata: { name: 'one' },
    spec: { request, signerName, usages: [...usages], ...more },
  });
}

async function decide(world: World, type = 'Approved'): Promise<void> {
  const request = (await world.user.get(ref)) ?? {};
  const conditions = [{ type, status: 'True', reason: 'Test', message: '' }];
  await world.user.update(ref, { ...request, status: { conditions } }, 'approval');
}

const statusOf = async (world: World): Promise<JsonObject> => objectAt(await world.user.get(ref), 'status') ?? {};
async function certificateOf(world: World): Promise<X509Certificate | undefined> {
  const held = stringAt(await statusOf(world), 'certificate');
  return held === undefined ? undefined : new X509Certificate(Buffer.from(held, 'base64'));
}

describe('a request that is approved', () => {
  test('gets its certificate, no matter when the controllers are killed', async () => {
    const pem = await pemOf('O=dev, CN=amy');
    const prepare = async (world: World): Promise<void> => {
      await ask(world, { pem });
      await decide(world);
    };
    const check = async (world: World): Promise<void> => expect(await certificateOf(world)).toBeDefined();
    expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(1);
  });

  test.each(['ec', 'rsa'] as const)(
    'gets a certificate with the requested names and usages for a key of type %s, which is not a CA',
    async (type) => {
      const world = new World();
      await ask(world, {
        pem: await pemOf('O=dev, O=ops, CN=amy', ['a.example'], type),
        usages: ['client auth', 'digital signature'],
      });
      await decide(world);
      await world.run(make);
      const found = await certificateOf(world);
      expect(found?.subject.split('\n').toSorted()).toEqual(['CN=amy', 'O=dev', 'O=ops']);
      expect([found?.ca, found?.subjectAltName, found?.keyUsage]).toEqual([
        false,
        'DNS:a.example',
        ['1.3.6.1.5.5.7.3.2'],
      ]);
      const issuer = new X509Certificate(signer.certificate);
      expect([found?.checkIssued(issuer), found?.verify(issuer.publicKey)]).toEqual([true, true]);
      await expectSettled(world, make);
    },
  );

  test.each([
    [600, 900_000], // it starts five minutes in the past
    [undefined, 365 * 24 * HOUR],
    [10 * 365 * 24 * 3600, 365 * 24 * HOUR],
  ])('gets a certificate that is valid for %s seconds', async (seconds, lifetime) => {
    const world = new World();
    await ask(world, { more: seconds === undefined ? {} : { expirationSeconds: seconds } });
    await decide(world);
    await world.run(make);
    const found = await certificateOf(world);
    expect(Date.parse(found?.validTo ?? '') - Date.parse(found?.validFrom ?? '')).toBe(lifetime);
  });

  test.each<[string, Asked, string]>([
    ['a usage of servers', { usages: ['server auth'] }, 'invalid usage for client certificate: server auth'],
    [
      'no usage of clients',
      { usages: ['digital signature'] },
      'missing required usage for client certificate: client auth',
    ],
    [
      'no node',
      { signerName: SERVING, usages: ['digital signature', 'server auth'] },
      'subject organization is not system:nodes',
    ],
  ])('fails with %s', async (_, asked, message) => {
    const world = new World();
    await ask(world, asked);
    await decide(world);
    await world.run(make);
    expect(await statusOf(world)).toMatchObject({
      conditions: [{}, { type: 'Failed', reason: 'SignerValidationFailure', message }],
    });
    expect(await certificateOf(world)).toBeUndefined();
  });

  test('gets a certificate for the PEM block that was checked, not for a malformed one before it', async () => {
    const world = new World();
    const bogus = (await pemOf('O=other, CN=eve')).replace('\n', '\n\u0001');
    await ask(world, { pem: `${bogus}\n${await pemOf('O=dev, CN=amy')}` });
    await decide(world);
    await world.run(make);
    expect((await certificateOf(world))?.subject.split('\n').toSorted()).toEqual(['CN=amy', 'O=dev']);
  });

  test("gets a node's names if it is for serving", async () => {
    const world = new World();
    await ask(world, {
      pem: await pemOf(NODE, ['n1']),
      signerName: SERVING,
      usages: ['digital signature', 'server auth'],
    });
    await decide(world);
    await world.run(make);
    expect((await certificateOf(world))?.subjectAltName).toBe('DNS:n1');
  });
});

describe('a request that is not approved', () => {
  test.each(['Denied', 'none'])('(%s) receives no certificate', async (type) => {
    const world = new World();
    await ask(world);
    if (type !== 'none') await decide(world, type);
    await world.run(make);
    expect(await certificateOf(world)).toBeUndefined();
  });

  test('receives no certificate here if it is for another signer', async () => {
    const world = new World();
    await ask(world, { signerName: 'acme.org/signer' });
    await decide(world);
    await world.run(make);
    expect(await statusOf(world)).not.toHaveProperty('certificate');
  });
});

describe('a node that asks for itself', () => {
  const usages = ['digital signature', 'client auth'];
  test('is approved and receives its certificate if the node has the permission', async () => {
    const world = new World();
    await ask(world, { pem: await pemOf(NODE), signerName: KUBELET, usages });
    await world.run(make); // the requester is the superuser with every permission
    expect(await statusOf(world)).toMatchObject({
      conditions: [
        {
          type: 'Approved',
          reason: 'AutoApproved',
          message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
        },
      ],
    });
    expect((await certificateOf(world))?.subject).toContain('CN=system:node:n1');
  });

  test.each<[string, string, readonly string[], readonly string[]]>([
    ['for no node', 'O=dev, CN=amy', [], usages],
    ['for a name', NODE, ['n1'], usages],
    ['for serving', NODE, [], ['digital signature', 'server auth']],
  ])('%s, is not', async (_, name, names, asked) => {
    const world = new World();
    await ask(world, { pem: await pemOf(name, names), signerName: KUBELET, usages: asked });
    await world.run(make);
    expect(await statusOf(world)).not.toHaveProperty('conditions');
  });
});

test.each([
  ['is approved and signed', NODE, 'Approved', 2],
  ['goes a day after it was made', 'O=dev, CN=amy', undefined, 0],
])('a request of a node or a user %s, no matter when the controllers are killed', async (_, name, type, least) => {
  const kills = await surviveEveryCrash({
    make,
    async prepare(world) {
      await ask(world, { pem: await pemOf(name), signerName: KUBELET, usages: ['digital signature', 'client auth'] });
      if (type === undefined) world.clock.advance(25 * HOUR);
    },
    async check(world) {
      if (type === undefined) return expect(await world.user.get(ref)).toBeUndefined();
      expect(await statusOf(world)).toMatchObject({ conditions: [{ type }], certificate: expect.any(String) });
    },
  });
  expect(kills).toBeGreaterThan(least);
});

describe('a request ends', () => {
  test.each<[string, string | undefined, number]>([
    ['a day after it was made, where nobody answers', undefined, 24 * HOUR],
    ['an hour after it was denied', 'Denied', HOUR],
    ['an hour after it was approved and answered', 'Approved', HOUR],
  ])('and is deleted %s', async (_, type, lifetime) => {
    const world = new World();
    await ask(world);
    if (type !== undefined) await decide(world, type);
    await certificateSigner(world.user, world.clock, certificateAuthority(signer)).reconcile('one');
    const cleaner = certificateCleaner(world.user, world.clock);
    world.clock.advance(lifetime - 2000);
    expect(await cleaner.reconcile('one')).toBeDefined();
    expect(await world.user.get(ref)).toBeDefined();
    world.clock.advance(3000);
    await cleaner.reconcile('one');
    expect(await world.user.get(ref)).toBeUndefined();
  });
});
