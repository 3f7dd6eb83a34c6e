import { expect, test } from 'vitest';
import { digestOf } from '#lib/server/authentication/node-assertion/claims.ts';
import { aRequest } from '#lib/server/request/testing.ts';
import { withoutHeaders, withVerifiedBody } from './without-headers.ts';

const isHidden = (name: string): boolean => name === 'authorization';
const BODY = Buffer.from('{}');

test('removes a header in every spelling, and keeps every other fact of the request', () => {
  const connection = { remoteAddress: '192.0.2.1' };
  const headers = { authorization: 'a, b', accept: 'c' };
  const rawHeaders = ['Authorization', 'a', 'Accept', 'c', 'AUTHORIZATION', 'b'];
  const request = { ...aRequest({ path: '/x', connection, headers, rawHeaders }), tlsVersion: 'TLSv1.3' };
  const shown = { headers: { accept: 'c' }, rawHeaders: ['Accept', 'c'] };
  expect(withoutHeaders(request, isHidden)).toEqual({ ...request, ...shown });
});

test('returns the identical request if it has none of the headers', () => {
  const request = aRequest({ headers: { accept: 'c' } });
  expect(withoutHeaders(request, isHidden)).toBe(request);
});

test('does not create the signal of a request whose headers it removes', () => {
  const signal = () => expect.unreachable();
  withoutHeaders(aRequest({ headers: { authorization: 'a' }, signal }), isHidden);
});

test.each([
  ['returns a body that has the digest', digestOf(BODY), 'resolves'],
  ['rejects a body that has another digest', 'other', 'rejects'],
] as const)('%s, and streams neither', async (_, digest, settles) => {
  const request = aRequest({ body: async () => BODY, stream: async function* () {} });
  const verified = withVerifiedBody(request, digest);
  expect(verified.stream).toBeUndefined();
  await expect(verified.body())[settles].toMatchObject(settles === 'resolves' ? BODY : { code: 401 });
});
