import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const MAPS = '/api/v1/namespaces/default/configmaps?dryRun=All';
const NAME = 'v.example.com';

let server: RunningApiserver;
let request: Requester;
let authority: Authority;
let hook: Server;
let port: number;
let answer: (response: ServerResponse, path: string) => void;
const asked: string[] = [];

beforeAll(async () => {
  authority = await newAuthority(new Date());
  const { certificate, key } = await authority.issue({ name: 'hook' }, ['127.0.0.1']);
  hook = createServer({ cert: certificate, key }, (incoming, response) => {
    asked.push(incoming.url ?? '');
    incoming.resume().on('end', () => answer(response, incoming.url ?? ''));
  });
  hook.listen(0, '127.0.0.1');
  await once(hook, 'listening');
  port = (hook.address() as AddressInfo).port;
  server = await startApiserver();
  request = requester(server);
});
afterAll(async () => {
  await server.close();
  hook.closeAllConnections();
  hook.close();
});

const register = (clientConfig: JsonObject) =>
  request('POST', CONFIGURATIONS, {
    metadata: { name: 'v' },
    webhooks: [
      {
        name: NAME,
        clientConfig,
        rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 2,
      },
    ],
  });

const FORM = '; desired format: https://host[/path]';
const url = (value: string, why: string): string =>
  `ValidatingWebhookConfiguration.admissionregistration.k8s.io "v" is invalid: webhooks[0].clientConfig.url: Invalid value: "${value}": ${why}`;
const https = (scheme: string): string => url(scheme, `'https' is the only allowed URL scheme${FORM}`);

describe('rejected targets of webhooks', () => {
  test.each<[string, string]>([
    ['http://example.com/', https('http')],
    ['file://localhost/etc/passwd', https('file')],
    ['gopher://example.com/', https('gopher')],
    ['HTTP://169.254.169.254/latest', https('http')],
    ['https:///path', url('', `host must be specified${FORM}`)],
    ['https://me:secret@example.com/', url('me:secret', 'user information is not permitted in the URL')],
    ['https://example.com@10.0.0.1/', url('example.com', 'user information is not permitted in the URL')],
    ['https://example.com/?to=10.0.0.1', url('to=10.0.0.1', 'query parameters are not permitted in the URL')],
    ['https://example.com/#x', url('x', 'fragments are not permitted in the URL')],
  ])('include %s', async (given, expected) => {
    const { status, body } = await register({ url: given });
    expect([status, String(body['message'])]).toEqual([422, expect.stringContaining(expected)]);
  });

  test('both a URL and a Service, neither, and a path that leads away', async () => {
    const service = { namespace: 'n', name: 's' };
    for (const [config, why] of [
      [{ url: 'https://example.com/', service }, 'exactly one of url or service is required'],
      [{}, 'exactly one of url or service is required'],
      [{ service: { ...service, path: '/../../x' } }, 'segment[0]: '],
      [{ service: { ...service, path: '//example.com' } }, 'segment[0] may not be empty'],
      [{ service: { ...service, port: 70_000 } }, 'port is not valid: '],
    ] as const) {
      const { status, body } = await register(config);
      expect([status, String(body['message'])]).toEqual([422, expect.stringContaining(why)]);
    }
  });
});

/** The response to a create request that such a webhook reviews. */
async function judgedBy(clientConfig: JsonObject): Promise<string> {
  const made = await register(clientConfig);
  expect(made.status, String(made.body['message'])).toBe(201);
  const { body } = await request('POST', MAPS, { metadata: { name: 'm' } });
  await request('DELETE', `${CONFIGURATIONS}/v`);
  return String(body['message'] ?? 'admitted');
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const failed = (why: string): string => `failed calling webhook "${NAME}": ${why}`;

describe('a call does not', () => {
  const here = (path = ''): JsonObject => ({
    url: `https://127.0.0.1:${port}${path}`,
    caBundle: base64(authority.certificate),
  });

  test.each([
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00:ec2::254]/latest',
    'https://[::ffff:169.254.169.254]/',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
  ])('reach %s', async (target) => {
    expect(await judgedBy({ url: target })).toContain('link-local and metadata addresses are not called');
  });

  test('follow a redirect', async () => {
    asked.length = 0;
    answer = (response) => response.writeHead(307, { location: `https://127.0.0.1:${port}/elsewhere` }).end();
    expect(await judgedBy(here('/first'))).toContain(
      failed('failed to call webhook: the server responded with the status code 307'),
    );
    expect(asked).toEqual(['/first?timeout=2s']);
  });

  test('trust a certificate that the bundle does not cover', async () => {
    const stranger = (await newAuthority(new Date())).certificate;
    for (const caBundle of [base64(stranger), base64('bogus'), ''])
      expect(await judgedBy({ ...here(), caBundle })).toContain(failed('failed to call webhook: '));
  });

  test('show the response that it received, or read it without a limit', async () => {
    answer = (response) => {
      const stop = (): void => void response.destroy();
      response.on('close', stop).writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 'secret '))) continue;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    const told = await judgedBy(here('/endless'));
    expect(told).toContain('the answer is longer than 16777216 bytes');
    expect(told).not.toContain('secret');
  });
});
