import { expect, test } from 'vitest';
import { signedHeaders, type UnsignedCall } from './signed-headers.ts';

const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'tok' };
const NOW = Date.UTC(2026, 10, 23, 20);
const aCall = (overrides: Partial<UnsignedCall>): UnsignedCall => ({
  service: 'execute-api',
  region: 'eu-west-1',
  host: 'abc.execute-api.eu-west-1.amazonaws.com',
  method: 'POST',
  path: '/',
  body: 'hello',
  ...overrides,
});

test('signs a request like the AWS SDK, with its path encoded twice', () => {
  const call = aCall({ path: '/nodes/@connections/L0SM9c%2F%2BOFvHcCIhw%3D' });
  expect(signedHeaders(call, credentials, NOW)).toEqual({
    host: 'abc.execute-api.eu-west-1.amazonaws.com',
    'x-amz-date': '20261123T200000Z',
    'x-amz-security-token': 'tok',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKID/20261123/eu-west-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=4ee7fffb59765c1b014c959fb37bcce53ba28b83a650bc5115b191409d2b2fd2',
  });
});

test.each<[string, Partial<UnsignedCall>, string]>([
  [
    'a path with characters that only RFC 3986 reserves',
    { path: "/a!b'(c)*" },
    '736bd4392c3c02c3de628caee8cbd54272dfbafc959c2d6d9c880ac654397ddc',
  ],
  [
    'a header with repeated spaces',
    { headers: { 'x-note': ' two  spaces ' } },
    'e63e07d37f72655e12013572cb01874eeed450212df8882dd67202f45352ef52',
  ],
])('signs %s like the AWS SDK', (_, overrides, signature) => {
  expect(signedHeaders(aCall(overrides), credentials, NOW)['authorization']).toContain(`Signature=${signature}`);
});
