import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { type JsonNameParams, Name, Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { requester } from '#test/support/requester.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const MASTERS = 'system:masters';

let server: RunningApiserver;
beforeAll(async () => void (server = await startApiserver({ controllers: false })));
afterAll(() => server.close());

async function asked(subject: JsonNameParams): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const name = new Name(subject);
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: ALGORITHM });
  const { status, body } = await requester(server)('POST', REQUESTS, {
    metadata: { generateName: 'r-' },
    spec: {
      request: Buffer.from(request.toString('pem')).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    },
  });
  return `${status} ${String(body['message'] ?? '')}`;
}

test.each(['utf8String', 'printableString', 'ia5String', 'bmpString'])(
  'rejects a request for a certificate with the superuser group as %s',
  async (type) => {
    expect(await asked([{ CN: ['eve'] }, { O: ['dev'] }, { O: [{ [type]: MASTERS }] }])).toMatch(
      /^403 .*with system:masters group is not allowed$/,
    );
    expect(await asked([{ CN: ['eve'] }, { O: [{ [type]: 'dev' }] }])).toBe('201 ');
  },
);

test.each<[string, JsonNameParams]>([
  ['among others', [{ CN: ['eve'] }, { O: ['dev', MASTERS] }]],
  ['beside her name', [{ CN: ['eve'], O: [MASTERS] }]],
  ['before her name, behind others', [{ O: ['dev'] }, { OU: ['x'], O: [MASTERS], CN: ['eve'] }]],
])('nor with that group %s', async (_, subject) => {
  expect(await asked(subject)).toMatch(/^403 .*with system:masters group is not allowed$/);
});

test('rejects the superuser group in a string type that few parsers support', async () => {
  expect(await asked([{ CN: ['eve'] }, { O: [{ universalString: MASTERS }] }])).toMatch(/^403 .*failed to parse CSR/);
});
