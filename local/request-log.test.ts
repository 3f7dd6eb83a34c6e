import { expect, test } from 'vitest';
import type { RequestLine } from '#lib/endpoints/filters/request-line.ts';
import { requester } from '#test/requester.ts';
import { startApiserver } from './start-apiserver.ts';

test('logs every request on demand: the user, the impersonated one, the answer, and no token', async () => {
  const lines: RequestLine[] = [];
  const requestLog = { every: true, write: (line: RequestLine) => void lines.push(line) };
  await using server = await startApiserver({ controllers: false, requestLog });
  const amy = requester(server, { 'impersonate-user': 'amy' });
  await amy('GET', '/api/v1/namespaces/default/pods/none?access_token=s3cret');
  await requester({ ...server, adminToken: 'wrong-s3cret' })('GET', '/api/v1/pods');
  expect(lines).toMatchObject([
    {
      method: 'GET',
      uri: '/api/v1/namespaces/default/pods/none?access_token=REDACTED',
      status: 403,
      user: 'amy',
      impersonator: 'admin',
    },
    { uri: '/api/v1/pods', status: 401 },
  ]);
  expect(JSON.stringify(lines)).not.toContain('s3cret');
});
