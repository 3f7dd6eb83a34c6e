import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as tlsConnect, type TLSSocket } from 'node:tls';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { startKubelet, type Kubelet } from '#test/kubelet/kubelet.ts';
import { requester, type Answer, type Requester } from '#test/requester.ts';
import { auditFlags, auditOf, type AuditFlags } from './flags/audit.ts';
import { startApiserver, type RunningApiserver } from './start-apiserver.ts';

const PODS = '/api/v1/namespaces/default/pods';
let kubelet: Kubelet;
let server: RunningApiserver;
let request: Requester;
let auditLog: string;

async function made(path: string, object: JsonObject): Promise<void> {
  const { status, body } = await request('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
}

const aNode = (name: string, status: object): Promise<void> =>
  made('/api/v1/nodes', { metadata: { name }, status: status as JsonObject });

const aPod = (name: string, nodeName: string, ...containers: string[]): Promise<void> =>
  made(PODS, {
    metadata: { name },
    spec: { nodeName, containers: containers.map((one) => ({ name: one, image: 'i' })) },
  });

const withPort = (port: number): object => ({
  addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
  daemonEndpoints: { kubeletEndpoint: { Port: port } },
});

beforeAll(async () => {
  kubelet = await startKubelet();
  const folder = await mkdtemp(join(tmpdir(), 'davit-backends-'));
  const policy = join(folder, 'policy.yaml');
  auditLog = join(folder, 'audit.log');
  await writeFile(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n');
  const flags = ['--audit-policy-file', policy, '--audit-log-path', auditLog, '--audit-log-mode', 'blocking'];
  server = await startApiserver({
    controllers: false,
    kubelet: { ...kubelet.options, timeout: 2000 },
    ...(await auditOf(auditFlags(new Command()).parse(flags, { from: 'user' }).opts<AuditFlags>())),
  });
  request = requester(server);
  await made('/api/v1/namespaces', { metadata: { name: 'default' } });
  await made('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await aNode('n1', kubelet.nodeStatus);
  await aPod('web', 'n1', 'main');
  await aPod('two', 'n1', 'a', 'b');
});
afterAll(async () => {
  await server.close();
  await kubelet.close();
});

const textOf = ({ status, body }: Answer): string => `${status} ${String(body['message'] ?? body['text'])}`;

describe('the log of a container', () => {
  test('is what the kubelet answers, asked by the options of the client', async () => {
    kubelet.on('/containerLogs/default/web/main', { request: (_, response) => response.end('one\ntwo\n') });
    const query =
      'follow=true&previous=1&timestamps=true&tailLines=5&limitBytes=10&sinceTime=2026-01-02T03:04:05%2B01:00';
    expect(textOf(await request('GET', `${PODS}/web/log?${query}`))).toBe('200 one\ntwo\n');
    expect(kubelet.asked.at(-1)).toBe(
      '/containerLogs/default/web/main?follow=true&limitBytes=10&previous=true&sinceTime=2026-01-02T02%3A04%3A05Z&tailLines=5&timestamps=true',
    );
    expect(kubelet.headers()).not.toHaveProperty('authorization');
  });

  test('is of the named container of several', async () => {
    kubelet.on('/containerLogs/default/two/b', { request: (_, response) => response.end('of b') });
    expect(textOf(await request('GET', `${PODS}/two/log?container=b`))).toBe('200 of b');
  });

  test.each([
    [
      'tailLines=-1',
      '422 PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    ['limitBytes=0', '422 PodLogOptions "web" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
    ['sinceSeconds=0', '422 PodLogOptions "web" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0'],
    ['stream=Stdout', '422 PodLogOptions "web" is invalid: stream: Forbidden: may not be specified'],
    ['tailLines=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
  ])('with %s is refused', async (query, message) => {
    expect(textOf(await request('GET', `${PODS}/web/log?${query}`))).toBe(message);
  });

  test.each<[string, number, string]>([
    ['an error', 500, '500 Internal error occurred: no such thing'],
    ['a bad request', 400, '400 no such thing'],
    ['nothing of that name', 404, '404 the server could not find the requested resource ( pods/log web)'],
    ['a refusal', 403, '403 no such thing ( pods/log web)'],
    [
      'a fault',
      502,
      '502 an error on the server ("no such thing") has prevented the request from succeeding ( pods/log web)',
    ],
  ])('is %s where the kubelet says so', async (_, status, message) => {
    kubelet.on('/containerLogs/default/web/main', {
      request: (_request, response) => response.writeHead(status).end('no such thing'),
    });
    expect(textOf(await request('GET', `${PODS}/web/log`))).toBe(message);
  });

  test('never comes from where the kubelet points', async () => {
    kubelet.on('/containerLogs/default/web/main', {
      request: (_, response) => response.writeHead(302, { location: `https://127.0.0.1:${server.port}/version` }).end(),
    });
    expect(textOf(await request('GET', `${PODS}/web/log`))).toBe(
      `500 Get "https://127.0.0.1:${server.port}/version": redirects forbidden`,
    );
  });

  test('is an error where the kubelet breaks off, or changes the protocol unasked', async () => {
    kubelet.on('/containerLogs/default/web/main', { request: ({ socket }) => void socket.destroy() });
    expect(textOf(await request('GET', `${PODS}/web/log`))).toMatch(/^500 Get "https:.*": EOF$/);
    kubelet.on('/containerLogs/default/web/main', {
      request: ({ socket }) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
    });
    expect(textOf(await request('GET', `${PODS}/web/log`))).toMatch(/^500 Get "https:/);
  });

  test('ends at the kubelet when the client goes', async () => {
    let isOver = false;
    kubelet.on('/containerLogs/default/web/main', {
      request: (_, response) => {
        response.write('first');
        response.once('close', () => (isOver = true));
      },
    });
    const { signal, abort } = abortable();
    const sent = get(`${PODS}/web/log?follow=true`, signal);
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    response.on('error', () => {});
    expect(String((await once(response, 'data'))[0])).toBe('first');
    abort();
    await expect.poll(() => isOver).toBe(true);
  });

  test('that nobody reads does not fill the memory', async () => {
    let written = 0;
    let isHeld = false;
    kubelet.on('/containerLogs/default/web/main', {
      request: (_, response) => {
        const more = (): void => {
          while (response.write(Buffer.alloc(1 << 20))) written += 1 << 20;
          isHeld = true;
          response.once('drain', more);
        };
        more();
      },
    });
    const { signal, abort } = abortable();
    const [response] = (await once(get(`${PODS}/web/log?follow=true`, signal), 'response')) as [NodeJS.ReadableStream];
    response.on('error', () => {});
    await expect.poll(() => isHeld).toBe(true);
    expect(written).toBeLessThan(64 << 20);
    abort();
    await expect.poll(() => kubelet.connections()).toBe(0);
  });
});

function abortable(): { readonly signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function get(path: string, signal: AbortSignal) {
  const headers = { authorization: `Bearer ${server.adminToken}` };
  const sent = httpsRequest(`${server.url}${path}`, { ca: server.certificateAuthority, headers, signal });
  sent.on('error', () => {});
  return sent.end();
}

describe('a kubelet that cannot be reached', () => {
  test('because nobody listens', async () => {
    await aNode('closed', withPort(1));
    await aPod('astray', 'closed', 'main');
    expect(textOf(await request('GET', `${PODS}/astray/log`))).toBe(
      '500 Get "https://127.0.0.1:1/containerLogs/default/astray/main": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });

  test('because it has no address', async () => {
    await aNode('nowhere', { addresses: [{ type: 'Other', address: 'x' }] });
    await aPod('lost', 'nowhere', 'main');
    expect(textOf(await request('GET', `${PODS}/lost/log`))).toBe(
      '500 no preferred addresses found; known addresses: [{Other x}]',
    );
  });

  test('because its address is of a metadata service', async () => {
    await aNode('metadata', { addresses: [{ type: 'InternalIP', address: '169.254.169.254' }] });
    await aPod('spy', 'metadata', 'main');
    expect(textOf(await request('GET', `${PODS}/spy/log`))).toContain(
      'link-local and metadata addresses are not called',
    );
  });

  test('because it takes connections and says nothing', async () => {
    const silent = createServer(() => {});
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    await aNode('silent', withPort(port));
    await aPod('mute', 'silent', 'main');
    expect(textOf(await request('GET', `${PODS}/mute/log`))).toMatch(/: dial tcp 127.0.0.1:\d+: i\/o timeout$/);
    silent.close();
  });

  test('because it speaks no TLS', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    await aNode('plain', withPort((plain.address() as AddressInfo).port));
    await aPod('bare', 'plain', 'main');
    expect(textOf(await request('GET', `${PODS}/bare/log`))).toMatch(
      /first record does not look like a TLS handshake$/,
    );
    plain.close();
  });

  test('because another authority signed its certificate, unless the client does not mind', async () => {
    const other = await startKubelet();
    await aNode('other', other.nodeStatus);
    await aPod('foreign', 'other', 'main');
    expect(textOf(await request('GET', `${PODS}/foreign/log`))).toMatch(
      /x509: certificate signed by unknown authority$/,
    );
    await other.close();
  });

  test('because it is this server', async () => {
    await aNode('itself', withPort(server.port));
    await aPod('mirror', 'itself', 'main');
    const query = 'insecureSkipTLSVerifyBackend=true';
    expect(textOf(await request('GET', `${PODS}/mirror/log?${query}`))).toMatch(/^40[13] /);
  });
});

describe('what is proxied', () => {
  test('to a node is passed on with path, query, method and body, and without credentials', async () => {
    kubelet.on('/x', {
      request: (incoming, response) => {
        let body = '';
        incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
        incoming.on('end', () => {
          response.writeHead(418, { 'x-mine': 'yes', connection: 'close', 'access-control-allow-origin': '*' });
          response.end(`${incoming.method} ${incoming.url} ${body}`);
        });
      },
    });
    const answer = await request('POST', '/api/v1/nodes/n1/proxy/x/a%20b/../c/?q=1&q=2', { a: 1 });
    expect(textOf(answer)).toBe('418 POST /x/c/?q=1&q=2 {"a":1}');
    expect(kubelet.headers()).not.toHaveProperty('authorization');
    expect(kubelet.headers()).toMatchObject({ 'x-forwarded-for': '127.0.0.1' });
    expect(kubelet.client()).toBe('apiserver');
  });

  test('without the slash behind proxy is asked for again', async () => {
    expect((await request('GET', '/api/v1/nodes/n1/proxy')).status).toBe(301);
  });

  test.each(['127.0.0.1', '169.254.169.254', '::1', '0.0.0.0', '224.0.0.1', '::ffff:127.0.0.1'])(
    'never goes to a node at %s',
    async (address) => {
      await using strict = await startApiserver({ controllers: false });
      const ask = requester(strict);
      const status = { addresses: [{ type: 'InternalIP', address }] };
      expect((await ask('POST', '/api/v1/nodes', { metadata: { name: 'n1' }, status })).status).toBe(201);
      expect(textOf(await ask('GET', '/api/v1/nodes/n1/proxy/metrics'))).toBe('400 address not allowed');
    },
  );
});

describe('a stream to a container', () => {
  test('is the bytes of both sides, and what was sent ahead', async () => {
    kubelet.on('/exec/default/web/main', {
      upgrade: (incoming, socket) => {
        socket.write(`HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\nconnection: Upgrade\r\n\r\nhello`);
        socket.pipe(socket);
        expect(incoming.method).toBe('POST');
      },
    });
    const socket = await streaming('exec?command=ls&command=-l&stdin=true', 'SPDY/3.1');
    await received(socket, /^HTTP\/1.1 101 [^]*hello$/);
    socket.write('ping');
    await received(socket, /^ping$/);
    expect(kubelet.asked.at(-1)).toBe('/exec/default/web/main?command=ls&command=-l&error=1&input=1&output=1');
    expect(kubelet.headers()).not.toHaveProperty('authorization');
    socket.destroy();
    await expect.poll(() => kubelet.connections()).toBe(0);
  });

  test('is audited when it begins and when it ends', async () => {
    kubelet.on('/exec/default/web/main', {
      upgrade: (_, socket) =>
        void socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\nconnection: Upgrade\r\n\r\n'),
    });
    const stages = async (): Promise<string[]> =>
      (await readFile(auditLog, 'utf8'))
        .split('\n')
        .filter((line) => line.includes('exec?command=audited'))
        .map((line) => JSON.parse(line) as { stage: string; responseStatus?: { code: number } })
        .map(({ stage, responseStatus }) => `${stage} ${responseStatus?.code ?? ''}`.trim());
    const socket = await streaming('exec?command=audited', 'SPDY/3.1');
    await received(socket, /^HTTP\/1.1 101 /);
    expect(await stages()).toEqual(['RequestReceived', 'ResponseStarted 101']);
    socket.destroy();
    await expect.poll(stages).toEqual(['RequestReceived', 'ResponseStarted 101', 'ResponseComplete 101']);
  });

  test('ends for the client when the kubelet ends it', async () => {
    kubelet.on('/portForward/default/web', {
      upgrade: (_, socket) =>
        void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: SPDY/3.1\r\nconnection: Upgrade\r\n\r\nbye'),
    });
    const socket = await streaming('portforward', 'SPDY/3.1');
    const closed = once(socket, 'close');
    await received(socket, /bye$/);
    await closed;
  });

  test('is refused as the kubelet refuses it', async () => {
    kubelet.on('/attach/default/web/main', {
      upgrade: (_, socket) => void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno'),
    });
    await received(await streaming('attach', 'websocket'), /^HTTP\/1.1 403 [^]*no$/);
  });

  test('asks for a switch of protocols', async () => {
    expect(textOf(await request('POST', `${PODS}/web/exec?command=ls`))).toBe('400 Upgrade request required');
  });

  test('is refused to who may not create it', async () => {
    const socket = await streaming('exec', 'websocket', 'nobody');
    await received(socket, /^HTTP\/1.1 401 /);
  });
});

async function streaming(path: string, protocol: string, token = server.adminToken): Promise<TLSSocket> {
  const socket = tlsConnect({ host: '127.0.0.1', port: server.port, ca: server.certificateAuthority });
  await once(socket, 'secureConnect');
  socket.write(
    `POST ${PODS}/web/${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\nconnection: Upgrade\r\nupgrade: ${protocol}\r\n\r\n`,
  );
  return socket;
}

/** Reads until the text matches. */
async function received(socket: TLSSocket, pattern: RegExp): Promise<void> {
  let text = '';
  const collect = (chunk: Buffer): void => void (text += chunk.toString());
  socket.on('data', collect);
  await expect.poll(() => text).toMatch(pattern);
  socket.off('data', collect);
}

test('a server that names itself as a kubelet is asked by a user who has no right', async () => {
  await using own = await startApiserver({ controllers: false });
  const ask = requester(own);
  const answers = [
    await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } }),
    await ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }),
    await ask('POST', '/api/v1/nodes', { metadata: { name: 'n' }, status: withPort(own.port) as JsonObject }),
    await ask('POST', PODS, {
      metadata: { name: 'p' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(textOf(await ask('GET', `${PODS}/p/log`))).toMatch(
    /^403 .*User \\"kube-apiserver-kubelet-client\\" cannot get path/,
  );
});
