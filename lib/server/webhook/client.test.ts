import { describe, expect, test } from 'vitest';
import { notFound } from '#lib/machinery/errors.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { type WebhookClient, type WebhookPorts, webhookClient } from './client.ts';
import { type ClientConfig, parseClientConfig } from './client-config.ts';
import { NO_FUNCTIONS } from './functions.ts';
import { serviceDns } from './service-resolver.ts';
import { TransportError, type TransportRequest, type TransportResponse } from './transport.ts';

const OK = { status: 200, contentType: 'application/json', body: Buffer.from('{"kind":"Review"}') };
const BY_URL: ClientConfig = { url: 'https://hooks.example.com/convert', caBundle: '' };
const BY_SERVICE: ClientConfig = {
  service: { namespace: 'ns', name: 'hook', port: 9443, path: '/a//b/' },
  caBundle: 'PEM',
};

function aClient(answer: (request: TransportRequest) => Promise<TransportResponse>, more: Partial<WebhookPorts> = {}) {
  const sent: TransportRequest[] = [];
  const clock = new ManualClock();
  const transport = {
    post: (request: TransportRequest) => {
      sent.push(request);
      return answer(request);
    },
  };
  return {
    sent,
    clock,
    client: webhookClient({ transport, clock, services: serviceDns, functions: NO_FUNCTIONS, ...more }),
  };
}

const fault = async (client: WebhookClient, config: ClientConfig): Promise<string> =>
  client.call({ config, body: {} }).then(
    () => 'no fault',
    (error: unknown) => (error instanceof Error ? error.message : 'no error'),
  );

describe('target of a webhook call', () => {
  test.each<[string, ClientConfig, Partial<TransportRequest>]>([
    [
      'a URL: the port of https',
      BY_URL,
      {
        connect: { host: 'hooks.example.com', port: 443 },
        serverName: 'hooks.example.com',
        authority: 'hooks.example.com',
        path: '/convert?timeout=30s',
        timeout: 30_000,
      },
    ],
    [
      'an IPv6 address',
      { url: 'https://[::1]:8443', caBundle: '' },
      { connect: { host: '::1', port: 8443 }, serverName: '::1', authority: '[::1]:8443', path: '/?timeout=30s' },
    ],
    [
      'a Service: its DNS name is the server name, its path is cleaned',
      BY_SERVICE,
      {
        connect: { host: 'hook.ns.svc', port: 9443 },
        serverName: 'hook.ns.svc',
        authority: 'hook.ns.svc:9443',
        path: '/a/b?timeout=30s',
        caBundle: 'PEM',
      },
    ],
  ])('connects to %s', async (_, config, expected) => {
    const { client, sent } = aClient(async () => OK);
    expect(await client.call({ config, body: { a: 1 } })).toEqual({ kind: 'Review' });
    expect(sent).toEqual([expect.objectContaining({ ...expected, body: Buffer.from('{"a":1}') })]);
  });

  test("connects to the resolved address of a Service under the Service's name", async () => {
    const services = { resolve: async () => ({ host: '127.0.0.1', port: 5 }) };
    const { client, sent } = aClient(async () => OK, { services });
    await client.call({ config: BY_SERVICE, body: {} });
    expect(sent[0]).toMatchObject({ connect: { host: '127.0.0.1', port: 5 }, serverName: 'hook.ns.svc' });
  });

  test('calls a function that replaces a Service', async () => {
    const echo = { invoke: async (body: Uint8Array) => body };
    const functions = { find: ({ name }: { name: string }) => (name === 'hook' ? echo : undefined) };
    const { client, sent } = aClient(async () => OK, { functions });
    expect(await client.call({ config: BY_SERVICE, body: { a: 1 } })).toEqual({ a: 1 });
    expect(sent).toEqual([]);
  });

  test('names a failing function', async () => {
    const broken = { invoke: () => Promise.reject(new Error('out of memory')) };
    const { client } = aClient(async () => OK, { functions: { find: () => broken } });
    expect(await fault(client, BY_SERVICE)).toBe('Invoke "ns/hook": out of memory');
  });
});

describe('responses of a webhook', () => {
  const status = (code: number, body: string, contentType = 'text/plain') => ({
    status: code,
    contentType,
    body: Buffer.from(body),
  });
  const failure = '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no more"}';
  test.each<[string, TransportResponse, string]>([
    [
      'a fault of the server',
      status(500, ' boom\n'),
      'an error on the server ("boom") has prevented the request from succeeding',
    ],
    [
      'its fault in no text',
      status(500, 'x', 'image/png'),
      'an error on the server ("unknown") has prevented the request from succeeding',
    ],
    ['a bad request', status(400, 'x'), 'the server rejected our request for an unknown reason'],
    ['not found', status(404, ''), 'the server could not find the requested resource'],
    ['a refusal keeps its words', status(403, 'who are you'), 'who are you'],
    [
      'a redirect is not followed',
      status(302, ''),
      'the server responded with the status code 302 but did not return more information',
    ],
    ['a Status speaks for itself', status(500, failure, 'application/json'), 'no more'],
    [
      'nothing',
      status(200, '', 'application/json'),
      '0-length response with status code: 200 and content type: application/json',
    ],
    [
      'no object',
      status(200, 'hello'),
      String.raw`couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
    ],
    [
      'neither JSON nor YAML',
      status(200, '{'),
      "couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
  ])('reports a response: %s', async (_, response, expected) => {
    const { client } = aClient(async () => response);
    expect(await fault(client, BY_URL)).toBe(expected);
  });

  test.each<[string, ClientConfig, Error, string]>([
    [
      'an unreachable URL',
      BY_URL,
      new TransportError('EOF'),
      'Post "https://hooks.example.com/convert?timeout=30s": EOF',
    ],
    [
      'an absent Service',
      BY_SERVICE,
      notFound({ group: '', resource: 'services' }, 'hook'),
      'Post "https://hook.ns.svc:9443/a/b?timeout=30s": services "hook" not found',
    ],
  ])('names the target: %s', async (_, config, error, expected) => {
    const { client } = aClient(() => Promise.reject(error));
    expect(await fault(client, config)).toBe(expected);
  });
});

describe('a dead webhook endpoint', () => {
  const dead = (): Promise<TransportResponse> => Promise.reject(new TransportError('EOF'));

  test('is not called after three failures, and is tried once per pause', async () => {
    const { client, sent, clock } = aClient(dead);
    for (let i = 0; i < 3; i++) await fault(client, BY_URL);
    expect(await fault(client, BY_URL)).toBe(
      'Post "https://hooks.example.com/convert?timeout=30s": not called: it did not answer 3 times in a row, the last time with: EOF; it is tried again in 1s; check that the webhook runs and that its clientConfig leads to it',
    );
    expect(sent).toHaveLength(3);
    clock.advance(1000);
    await Promise.all([fault(client, BY_URL), fault(client, BY_URL)]);
    expect(sent).toHaveLength(4);
    clock.advance(1999);
    await fault(client, BY_URL);
    expect(sent).toHaveLength(4);
    clock.advance(1);
    await fault(client, BY_URL);
    expect(sent).toHaveLength(5);
  });

  test('is called with another configuration', async () => {
    const { client, sent } = aClient(dead);
    for (let i = 0; i < 3; i++) await fault(client, BY_URL);
    await fault(client, { ...BY_URL, caBundle: 'new' });
    expect(sent).toHaveLength(4);
  });

  test('recovers when it responds again; one that refuses counts as alive', async () => {
    let answer: () => Promise<TransportResponse> = dead;
    const { client, sent } = aClient(() => answer());
    for (let i = 0; i < 2; i++) await fault(client, BY_URL);
    answer = async () => ({ ...OK, status: 500 });
    await fault(client, BY_URL);
    answer = dead;
    for (let i = 0; i < 3; i++) await fault(client, BY_URL);
    expect(sent).toHaveLength(6);
  });
});

describe('a webhook configuration', () => {
  test('is read with its defaults', () => {
    const caBundle = Buffer.from('PEM').toString('base64');
    expect(parseClientConfig({ service: { namespace: 'a', name: 'b' }, caBundle })).toEqual({
      service: { namespace: 'a', name: 'b', port: 443, path: '' },
      caBundle: 'PEM',
    });
  });

  test('treats a bundle of white space as none', () => {
    expect(parseClientConfig({ url: 'https://a', caBundle: Buffer.from(' \n').toString('base64') })).toEqual({
      url: 'https://a',
      caBundle: '',
    });
  });
});

describe('credentials for a webhook', () => {
  const certificate = { certificate: 'CERT', key: 'KEY' };

  test('are sent with every call', async () => {
    const tokens = ['one', 'two'];
    const { client, sent } = aClient(async () => OK);
    const config = { ...BY_URL, credentials: { certificate, token: async () => tokens.shift() ?? '' } };
    await client.call({ config, body: {} });
    await client.call({ config, body: {} });
    expect(sent.map(({ client: shown, headers }) => [shown, headers['authorization']])).toEqual([
      [certificate, 'Bearer one'],
      [certificate, 'Bearer two'],
    ]);
  });

  test('fail the call if they cannot be read', async () => {
    const { client, sent } = aClient(async () => OK);
    const token = () => Promise.reject(new Error('no such file'));
    expect(await fault(client, { ...BY_URL, credentials: { token } })).toContain('no such file');
    expect(sent).toEqual([]);
  });
});

test.each<[string, () => Promise<TransportResponse>, boolean]>([
  ['a reset connection', () => Promise.reject(new TransportError('EOF', { isReset: true })), true],
  ['a refused connection', () => Promise.reject(new TransportError('connection refused')), false],
  ['an internal error', async () => ({ ...OK, status: 500 }), true],
  ['too many requests', async () => ({ ...OK, status: 429 }), true],
  ['a status 403', async () => ({ ...OK, status: 403 }), false],
])('classifies %s as transient or permanent', async (_, answer, isTransient) => {
  await expect(aClient(answer).client.call({ config: BY_URL, body: {} })).rejects.toMatchObject({ isTransient });
});
