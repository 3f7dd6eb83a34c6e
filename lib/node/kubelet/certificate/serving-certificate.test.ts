import { beforeEach, describe, expect, test } from 'vitest';
import type { NodeAddress } from '#lib/api/types/core.v1.ts';
import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { namesOf, readRequest } from '#lib/controllers/certificates/certificate-request.ts';
import { type Authority, authorityOf } from '#lib/controllers/certificates/issue.ts';
import { type KeyPair, newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { World } from '#test/support/controllers/world.ts';
import { StepClock } from '../testing/step-clock.ts';
import { rotateCertificates } from './client-certificate.ts';
import { validityOf } from './rotation.ts';
import { hasNames, type ServingNames, servingNames } from './serving-names.ts';
import { MemoryCertificates } from './testing.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const NAMES: ServingNames = { dns: ['n1'], ip: ['10.0.0.1'] };

let authority: Authority;
let store: MemoryCertificates;

beforeEach(async () => {
  const now = new Date(START);
  authority = authorityOf(await newSigner(now), now);
  store = new MemoryCertificates();
});

const issued = async ({ dns, ip }: ServingNames, node = 'n1'): Promise<KeyPair> =>
  authority.issue({ name: `system:node:${node}`, organizations: ['system:nodes'] }, [...dns, ...ip]);

const address = (type: string, text: string): NodeAddress => ({ type, address: text });

test.each<[string, NodeAddress[], ServingNames | undefined]>([
  ['none without an address', [], undefined],
  ['none with only a hostname', [address('Hostname', 'n1')], undefined],
  [
    'sorted without duplicates',
    [
      address('InternalIP', '10.0.0.2'),
      address('InternalIP', '10.0.0.1'),
      address('ExternalIP', '10.0.0.1'),
      address('Hostname', 'n1'),
      address('InternalDNS', 'a.example'),
      address('ExternalDNS', 'n1'),
      address('InternalDNS', ''),
      address('ExternalIP', 'none'),
    ],
    { dns: ['a.example', 'n1'], ip: ['10.0.0.1', '10.0.0.2'] },
  ],
  ['with a hostname that is an address', [address('Hostname', 'fd00::1')], { dns: [], ip: ['fd00::1'] }],
])('computes the names of a node: %s', (_, addresses, expected) => {
  expect(servingNames(addresses)).toEqual(expected);
});

test('accepts a certificate for a node only with all its names', async () => {
  const { certificate } = await issued({ dns: ['n1', 'more'], ip: ['10.0.0.1'] });
  expect(hasNames(certificate, 'n1', NAMES)).toBe(true);
  expect(hasNames(certificate, 'n2', NAMES)).toBe(false);
  expect(hasNames(certificate, 'n1', { ...NAMES, dns: ['n1', 'other'] })).toBe(false);
  expect(hasNames(certificate, 'n1', { ...NAMES, ip: ['10.0.0.2'] })).toBe(false);
});

interface Run {
  /** Returns the names of the certificate after this number of sleeps. */
  names(sleeps: number): ServingNames | undefined;
  /** Called in each sleep. */
  during?(client: Clientset, sleeps: number): Promise<void>;
  /** Start time in milliseconds since 1970. */
  readonly start?: number;
}

/** Runs until a certificate is in use, or the clock has slept 40 times. */
async function rotated({ names, during, start = START }: Run) {
  const world = new World();
  const client = clientset(world.user);
  const ending = new AbortController();
  const faults: string[] = [];
  const clock = new StepClock(async (sleeps) => {
    await during?.(client, sleeps);
    if (sleeps > 40) ending.abort();
  }, start);
  const given: KeyPair[] = [];
  try {
    await rotateCertificates(
      {
        node: 'n1',
        store,
        clock,
        client,
        random: () => 0.5,
        serving: () => names(clock.sleeps.length),
        rotated: (pair) => {
          given.push(pair);
          ending.abort();
        },
        onFault: (error) => void faults.push(String(error)),
      },
      ending.signal,
    );
    return { given, faults, clock, requests: await client.list(CERTIFICATE_SIGNING_REQUESTS) };
  } finally {
    await world.close();
  }
}

/** Approves and signs all requests with their names. */
async function approve(client: Clientset): Promise<void> {
  for (const { metadata, spec } of await client.list(CERTIFICATE_SIGNING_REQUESTS)) {
    const { dns, ip } = namesOf(readRequest(Buffer.from(spec.request ?? '', 'base64').toString()));
    const ref = { resource: CERTIFICATE_SIGNING_REQUESTS, namespace: '', name: metadata.name ?? '' };
    const [lastUpdateTime, lastTransitionTime] = [null, null];
    const approved = { type: 'Approved', status: 'True', reason: 'Test', lastUpdateTime, lastTransitionTime };
    await client.patch(ref, { status: { conditions: [approved] } }, 'approval');
    const { certificate } = await issued({ dns, ip });
    await client.patch(ref, { status: { certificate: Buffer.from(certificate).toString('base64') } }, 'status');
  }
}

describe('serving certificate rotation', () => {
  test('requests a certificate for all names once the node has an address', async () => {
    const { given, clock, requests } = await rotated({
      names: (sleeps) => (sleeps < 3 ? undefined : NAMES),
      during: (client) => approve(client),
    });
    expect(clock.sleeps).toEqual([1000, 1000, 1000, 250]);
    expect(given).toEqual([store.pair]);
    const [{ metadata, spec } = { metadata: {}, spec: { signerName: '' } }] = requests;
    expect(metadata.name).toMatch(/^csr-/);
    expect(spec).toMatchObject({
      signerName: 'kubernetes.io/kubelet-serving',
      usages: ['digital signature', 'server auth'],
    });
    expect(namesOf(readRequest(Buffer.from(spec.request ?? '', 'base64').toString()))).toMatchObject({
      commonName: 'system:node:n1',
      organizations: ['system:nodes'],
      ...NAMES,
    });
  });

  test('keeps a certificate that has all names', async () => {
    store.pair = await issued(NAMES);
    const { given, requests } = await rotated({ names: () => NAMES });
    expect([given, requests]).toEqual([[], []]);
  });

  test('replaces a certificate when it is due', async () => {
    store.pair = await issued(NAMES);
    const { notBefore, notAfter } = validityOf(store.pair.certificate);
    const due = notBefore + (notAfter - notBefore) * 0.8;
    const { given, clock } = await rotated({
      names: () => NAMES,
      during: (client) => approve(client),
      start: due - 1500,
    });
    expect(given.length).toBe(1);
    expect(clock.sleeps).toEqual([1000, 1000, 250]);
  });

  test('replaces a certificate that lacks a name at once', async () => {
    store.pair = await issued({ ...NAMES, ip: ['10.0.0.9'] });
    const { given, clock } = await rotated({ names: () => NAMES, during: (client) => approve(client) });
    expect(given.length).toBe(1);
    expect(clock.sleeps).toEqual([250]);
  });

  test('repeats a pending request when the node gets another address', async () => {
    const moved = { ...NAMES, ip: ['10.0.0.2'] };
    const { given, faults, requests } = await rotated({
      names: (sleeps) => (sleeps < 2 ? NAMES : moved),
      during: async (client, sleeps) => (sleeps > 4 ? approve(client) : undefined),
    });
    expect(faults).toEqual([
      expect.stringMatching(/^Error: csr "csr-\w+" is for other names than those of the node now$/),
    ]);
    expect(requests.length).toBe(2);
    expect(hasNames(given[0]?.certificate ?? '', 'n1', moved)).toBe(true);
  });
});
