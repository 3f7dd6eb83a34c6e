import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { namesOf, readRequest } from '#lib/controllers/certificates/certificate-request.ts';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { type KeyPair, newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { World } from '#test/support/controllers/world.ts';
import { StepClock } from '../testing/step-clock.ts';
import { bootstrap, hasValidCertificate, rotateCertificates } from './client-certificate.ts';
import { newKey, nodeCertificateRequest } from './request.ts';
import { requestCertificate } from './request-certificate.ts';
import { nextRotationDeadline, validityOf } from './rotation.ts';
import { MemoryCertificates } from './testing.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const YEAR = 365 * 24 * 3_600_000;

type Status = CertificateSigningRequest['status'];

/** A server without controllers. `answer` returns the status for every request that was not denied. */
async function withServer(
  work: (client: Clientset, answer: (status: Status) => Promise<void>) => Promise<void>,
): Promise<void> {
  const world = new World();
  const client = clientset(world.user);
  const answer = async (status: Status): Promise<void> => {
    for (const { metadata, status: before } of await client.list(CERTIFICATE_SIGNING_REQUESTS)) {
      if (before.conditions?.some(({ type }) => type === 'Denied')) continue;
      const ref = { resource: CERTIFICATE_SIGNING_REQUESTS, namespace: '', name: metadata.name ?? '' };
      const { conditions = [], certificate } = status;
      if (conditions.length > 0) await client.patch(ref, { status: { conditions } }, 'approval');
      if (certificate !== undefined) await client.patch(ref, { status: { certificate } }, 'status');
    }
  };
  try {
    await work(client, answer);
  } finally {
    await world.close();
  }
}

const condition = (type: string) => ({
  type,
  status: 'True',
  reason: 'Because',
  message: 'of this',
  lastUpdateTime: null,
  lastTransitionTime: null,
});
const issued = async (): Promise<string> => {
  const now = new Date(START);
  return (await authorityOf(await newSigner(now), now).issue({ name: 'system:node:n1' })).certificate;
};
const never = new AbortController().signal;

test("requests a node's subject and usages, with one name per key", async () => {
  const [key, other] = [await newKey(), await newKey()];
  const { metadata, spec } = await nodeCertificateRequest('n1', key);
  const request = readRequest(Buffer.from(spec.request ?? '', 'base64').toString());
  expect(namesOf(request)).toMatchObject({ commonName: 'system:node:n1', organizations: ['system:nodes'] });
  expect(await request.verify()).toBe(true);
  expect(spec).toMatchObject({
    signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
    usages: ['digital signature', 'client auth'],
  });
  expect(metadata.name).toMatch(/^node-csr-[\w-]{43}$/);
  const names = [
    await nodeCertificateRequest('n1', key),
    await nodeCertificateRequest('n1', other),
    await nodeCertificateRequest('n2', key),
  ];
  expect(names.map((one) => one.metadata.name === metadata.name)).toEqual([true, false, false]);
});

describe('requests for a certificate', () => {
  test('waits until the request is approved and signed', () =>
    withServer(async (client, answer) => {
      const certificate = await issued();
      const encoded = Buffer.from(certificate).toString('base64');
      const clock = new StepClock(async (count) => {
        if (count === 2) await answer({ conditions: [condition('Approved')] });
        if (count === 4) await answer({ certificate: encoded });
      });
      const store = new MemoryCertificates();
      await bootstrap({ node: 'n1', store, clock, random: () => 0.5 }, client, never);
      expect(clock.sleeps).toEqual([250, 500, 1000, 2000]);
      expect(store.pair?.certificate).toBe(certificate);
      expect(store.pending).toBe(undefined);
    }));

  test.each([
    ['Denied', 'certificate signing request is denied, reason: Because, message: of this'],
    ['Failed', 'certificate signing request failed, reason: Because, message: of this'],
  ])('reports a request that is %s and drops its key', (type, message) =>
    withServer(async (client, answer) => {
      const store = new MemoryCertificates();
      const clock = new StepClock(() => answer({ conditions: [condition(type)] }));
      const joined = bootstrap({ node: 'n1', store, clock, random: () => 0.5 }, client, never);
      await expect(joined).rejects.toThrow(message);
      expect(store.pending).toBe(undefined);
    }),
  );

  test('continues with a request from before a restart', () =>
    withServer(async (client) => {
      const store = new MemoryCertificates();
      for (let i = 0; i < 2; i++) {
        const ending = new AbortController();
        const options = { node: 'n1', store, clock: new StepClock(() => ending.abort()), random: () => 0.5 };
        await expect(bootstrap(options, client, ending.signal)).rejects.toThrow('was not approved in time');
      }
      expect(await client.list(CERTIFICATE_SIGNING_REQUESTS)).toHaveLength(1);
    }));

  test('gives up a request after its time-out', () =>
    withServer(async (client) => {
      const key = await newKey();
      const request = await nodeCertificateRequest('n1', key);
      const asked = { client, clock: new StepClock(), request, key, patience: 60_000 };
      await expect(requestCertificate(asked, never)).rejects.toThrow('was not approved in time');
    }));
});

test.each([
  [0, 0.7],
  [0.5, 0.8],
  [0.999, 0.8998],
])('rotates a certificate for a random number of %d at %d of its lifetime', (random, share) => {
  const deadline = nextRotationDeadline({ notBefore: START, notAfter: START + YEAR }, random);
  expect((deadline - START) / YEAR).toBeCloseTo(share, 6);
});

describe('rotation of a certificate', () => {
  test('rotates a certificate when it is due, with a new key, and again after a fault', () =>
    withServer(async (client, answer) => {
      const store = new MemoryCertificates();
      const key = await newKey();
      const certificate = await issued();
      store.pair = { certificate, key };
      const ending = new AbortController();
      const clock = new StepClock(async (count) => {
        if (count === 2) await answer({ conditions: [condition('Denied')] });
        if (count === 5)
          await answer({
            conditions: [condition('Approved')],
            certificate: Buffer.from(await issued()).toString('base64'),
          });
        if (count > 20) ending.abort();
      }, START);
      const [faults, rotated]: [string[], KeyPair[]] = [[], []];
      const { notBefore, notAfter } = validityOf(certificate);
      await rotateCertificates(
        {
          node: 'n1',
          store,
          clock,
          client,
          random: () => 0.5,
          rotated: (pair) => {
            rotated.push(pair);
            ending.abort();
          },
          onFault: (error) => void faults.push(String(error)),
        },
        ending.signal,
      );
      expect(clock.sleeps[0]).toBeCloseTo(notBefore + (notAfter - notBefore) * 0.8 - START, -1);
      expect(clock.sleeps.slice(1)).toEqual([250, 2000, 0, 250]);
      expect(faults).toEqual([expect.stringContaining('is denied')]);
      expect(rotated).toEqual([store.pair]);
      expect(store.pair.key).not.toBe(key);
    }));

  test.each([
    ['before its end', -1, true],
    ['after its end', 1, false],
  ])('treats a certificate %s as valid: %d', async (_, after, expected) => {
    const store = new MemoryCertificates();
    store.pair = { certificate: await issued(), key: '' };
    const end = new X509Certificate(store.pair.certificate).validToDate.getTime();
    const clock = new StepClock(undefined, end + after);
    expect(await hasValidCertificate({ node: 'n1', store, clock, random: () => 0.5 })).toBe(expected);
  });
});
