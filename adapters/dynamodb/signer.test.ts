import { expect, test } from 'vitest';
import { Signer } from './signer.ts';

const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret/with+signs' };
const SCOPE = 'AKIAEXAMPLE/20260102/eu-west-1/dynamodb/aws4_request';
const sent = {
  target: 'DynamoDB_20120810.GetItem',
  body: '{"TableName":"davit"}',
  signedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
};
const signerOf = (credentials: () => { accessKeyId: string; secretAccessKey: string; sessionToken?: string }) =>
  new Signer({ endpoint: new URL('https://dynamodb.eu-west-1.amazonaws.com'), region: 'eu-west-1', credentials });

/** Both were made by @smithy/signature-v4. */
test.each([
  [
    'keys',
    keys,
    'content-type;host;x-amz-date;x-amz-target',
    '753298c101674328e8f0832284844d30239709d4583048b3de73a1f0d3a24ba4',
  ],
  [
    'keys of a session',
    { ...keys, sessionToken: 'session=token/+' },
    'content-type;host;x-amz-date;x-amz-security-token;x-amz-target',
    '43040a46f6cdb949e62dcf54d10e6e7e248bcd0cedc49a5af1a4e25b487a7765',
  ],
])('the signature by %s is that of the SDK', async (_, credentials, names, signature) => {
  const { authorization, 'x-amz-date': date } = await signerOf(() => credentials).headers(sent);
  expect(authorization).toBe(`AWS4-HMAC-SHA256 Credential=${SCOPE}, SignedHeaders=${names}, Signature=${signature}`);
  expect(date).toBe('20260102T030405Z');
});

test('credentials that are renewed, and another day, are signed with from then on', async () => {
  let current = keys;
  const signer = signerOf(() => current);
  const first = await signer.headers(sent);
  const tomorrow = { ...sent, signedAt: sent.signedAt + 24 * 60 * 60 * 1000 };
  const next = await signer.headers(tomorrow);
  expect(next).toEqual(await signerOf(() => keys).headers(tomorrow));
  current = { ...keys, secretAccessKey: 'another' };
  expect(await signer.headers(sent)).toEqual(await signerOf(() => current).headers(sent));
  expect(await signer.headers(sent)).not.toEqual(first);
});
