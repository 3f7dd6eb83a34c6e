import { expect, test } from 'vitest';
import { withBody } from './api-request.ts';
import { aRequest } from './testing.ts';

test('replaces the body of a request, which can then not be streamed', async () => {
  const connection = { remoteAddress: '192.0.2.1' };
  const request = aRequest({ method: 'PUT', connection, stream: () => undefined });
  const { body, ...others } = withBody(request, async () => Buffer.from('b'));
  expect(String(await body())).toBe('b');
  expect(others).toEqual({ ...request, body: undefined, stream: undefined });
});
