import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { Name, Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { CertificateSigningRequest } from '#lib/api/types/certificates.v1.ts';
import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { certificateAuthority } from './authority.ts';
import { certificateSigner } from './signer.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const clock = { now: () => 1_700_000_000_000, monotonic: () => 0, sleep: async () => {} };

/** The status of an approved request with the group encoded as this string type, after the signer processed it. */
async function signed(type: string, group: string): Promise<unknown> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const name = new Name([{ CN: ['eve'] }, { O: [{ [type]: group }] }]);
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: ALGORITHM });
  let held = decodedAs(CERTIFICATE_SIGNING_REQUESTS, {
    metadata: { name: 'one' },
    spec: {
      request: Buffer.from(request.toString('pem')).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    },
    status: { conditions: [{ type: 'Approved', status: 'True' }] },
  });
  const client = {
    get: async () => held,
    update: async (_: unknown, object: CertificateSigningRequest) => (held = object),
  };
  const authority = certificateAuthority(await newSigner(new Date(clock.now())));
  await certificateSigner(client as unknown as Client, clock, authority).reconcile('one');
  return held.status;
}

test.each(['utf8String', 'printableString', 'bmpString', 'universalString'])(
  'refuses an approved certificate for the group system:masters encoded as %s',
  async (type) => {
    const message = 'certificates of the group system:masters are not signed';
    expect(await signed(type, 'system:masters')).toEqual({
      conditions: [expect.objectContaining({ type: 'Approved' }), expect.objectContaining({ type: 'Failed', message })],
    });
    expect(await signed(type, 'dev')).toHaveProperty('certificate');
  },
);
