import { expect, test } from 'vitest';
import type { RequestLine } from '#lib/server/endpoints/filters/request-line.ts';
import { requester } from '#test/support/requester.ts';
import { startApiserver } from './start-apiserver.ts';

test('logs every request on demand: the user, the impersonated user, the response, and no token', async () => {
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

test('logs the cause of a failed request, such as an unreachable webhook', async () => {
  const lines: RequestLine[] = [];
  const requestLog = { every: false, write: (line: RequestLine) => void lines.push(line) };
  await using server = await startApiserver({ controllers: false, requestLog });
  const ask = requester(server);
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
  const clientConfig = { url: 'https://127.0.0.1:1/no-webhook' };
  const webhook = {
    name: 'gone.example.com',
    clientConfig,
    rules,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  await ask('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'gone' },
    webhooks: [webhook],
  });
  const { status } = await ask('POST', '/api/v1/namespaces/team/configmaps', { metadata: { name: 'a' } });
  expect(status).toBe(500);
  expect(lines).toMatchObject([
    {
      level: 'error',
      status: 500,
      error: expect.stringMatching(/failed calling webhook "gone.example.com": .*refused/),
    },
  ]);
});
