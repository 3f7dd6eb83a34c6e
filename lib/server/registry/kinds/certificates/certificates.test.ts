import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { CERTIFICATE_SIGNING_REQUESTS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { created, refusals, updated, updateRefusals } from '../proof/strategy-proof.conformance.ts';
import { requestError } from './certificate-request.ts';

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const pem = (bytes: Buffer, type = 'CERTIFICATE REQUEST'): string =>
  `-----BEGIN ${type}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${type}-----\n`;

/** A minimal PKCS#10 request, signed with its own key or with another one. */
function signedRequest(own = true): string {
  const keys = generateKeyPairSync('ed25519');
  const signer = own ? keys.privateKey : generateKeyPairSync('ed25519').privateKey;
  const spki = keys.publicKey.export({ format: 'der', type: 'spki' });
  const info = der(0x30, der(0x02, Buffer.from([0])), der(0x30), spki, der(0xa0));
  const algorithm = der(0x30, der(0x06, Buffer.from('2b6570', 'hex')));
  return pem(der(0x30, info, algorithm, der(0x03, Buffer.from([0]), sign(null, info, signer))));
}

const REQUEST = Buffer.from(signedRequest()).toString('base64');
const request = (rest: JsonObject = {}, status: JsonObject = {}): JsonObject => ({
  metadata: { name: 'r' },
  spec: { request: REQUEST, signerName: 'a.io/b', usages: ['client auth'], ...rest },
  status,
});
const approved = { type: 'Approved', status: 'True' };
const denied = { type: 'Denied', status: 'True' };

test.each<[string, string, string | undefined]>([
  ['signed by its own key', signedRequest(), undefined],
  ['signed by another key', signedRequest(false), 'x509: signature verification failed'],
  ['not PEM', 'x', 'PEM block type must be CERTIFICATE REQUEST'],
  [
    'another type of PEM block',
    pem(Buffer.from([0x30, 0]), 'CERTIFICATE'),
    'PEM block type must be CERTIFICATE REQUEST',
  ],
  ['truncated', pem(Buffer.from([0x30, 9])), 'asn1: syntax error: data truncated'],
  ['empty', pem(der(0x30)), 'asn1: structure error'],
])('checks a certificate request that is %s', (_name, text, want) => {
  expect(requestError(text)).toBe(want);
});

test('sets the requester to the authenticated user', () => {
  expect(
    created(CERTIFICATE_SIGNING_REQUESTS, request({ username: 'root', groups: ['system:masters'] }))['spec'],
  ).toMatchObject({
    username: 'alice',
    uid: 'u1',
    groups: ['devs'],
  });
});

test.each<[string, JsonObject, string[]]>([
  ['duplicate usages', { usages: ['client auth', 'client auth'] }, ['spec.usages[1]: Duplicate value: "client auth"']],
  [
    'the legacy signer',
    { signerName: 'kubernetes.io/legacy-unknown' },
    [
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
  ],
  [
    'an expiration of one minute',
    { expirationSeconds: 60 },
    ['spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)'],
  ],
])('rejects a request with %s', (_name, spec, want) => {
  expect(refusals(CERTIFICATE_SIGNING_REQUESTS, request(spec))).toEqual(want);
});

test.each<[string, string, JsonObject, string[]]>([
  ['may approve a request via approval', 'approval', { conditions: [approved] }, []],
  [
    'may not both approve and deny a request',
    'approval',
    { conditions: [approved, denied] },
    ['status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive'],
  ],
  [
    'may not approve a request via status',
    'status',
    { conditions: [approved] },
    ['status.conditions: Forbidden: updates may not add a condition of type "Approved"'],
  ],
  [
    'may not set an invalid certificate',
    'status',
    { certificate: 'eA==' },
    ['status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block'],
  ],
])('an update %s', (_name, subresource, status, want) => {
  expect(updateRefusals(CERTIFICATE_SIGNING_REQUESTS, request({}, status), request(), subresource)).toEqual(want);
});

test('lets the main endpoint and approval change only their own fields', () => {
  const old = { ...request(), status: { certificate: 'eA==' } };
  const next = request({ signerName: 'c.io/d' }, { certificate: 'eQ==', conditions: [approved] });
  expect(updated(CERTIFICATE_SIGNING_REQUESTS, next, old)).toMatchObject({
    spec: { signerName: 'a.io/b' },
    status: { certificate: 'eA==' },
  });
  expect(updated(CERTIFICATE_SIGNING_REQUESTS, next, old, 'approval')['status']).toEqual({
    certificate: 'eA==',
    conditions: [{ ...approved, lastUpdateTime: '2026-01-02T03:04:05Z', lastTransitionTime: '2026-01-02T03:04:05Z' }],
  });
});
