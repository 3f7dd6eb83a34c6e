import { expect, test } from 'vitest';
import { signedHeaders } from './signed-headers.ts';

test('signs a request like the AWS SDK, with its path encoded twice', () => {
  const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'tok' };
  const call = {
    service: 'execute-api',
    region: 'eu-west-1',
    host: 'abc.execute-api.eu-west-1.amazonaws.com',
    method: 'POST',
    path: '/nodes/@connections/L0SM9c%2F%2BOFvHcCIhw%3D',
    body: 'hello',
  };
  expect(signedHeaders(call, credentials, Date.UTC(2026, 10, 23, 20))).toEqual({
    host: 'abc.execute-api.eu-west-1.amazonaws.com',
    'x-amz-date': '20261123T200000Z',
    'x-amz-security-token': 'tok',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKID/20261123/eu-west-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=4ee7fffb59765c1b014c959fb37bcce53ba28b83a650bc5115b191409d2b2fd2',
  });
});
