import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect as connectSocket, createServer as createPlainServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import type { Address } from '#lib/server/webhook/service-resolver.ts';
import { TransportError, type TransportRequest } from '#lib/server/webhook/transport.ts';
import { newAuthority } from '#local/certs.ts';
import { HttpsTransport } from './https-transport.ts';
import type { ConnectPod, PodAddress } from './pod-agent.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

let authority: Authority;
let server: Server;
let listener: Listener;
beforeAll(async () => {
  authority = await newAuthority(new Date());
  const { certificate, key } = await authority.issue({ name: 'hook' }, ['hook.ns.svc']);
  server = createServer({ cert: certificate, key }, (request, response) => listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function aRequest(more: Partial<TransportRequest> = {}): TransportRequest {
  return {
    connect: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    serverName: 'hook.ns.svc',
    authority: 'hook.ns.svc:443',
    path: '/convert?timeout=30s',
    caBundle: authority.certificate,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"a":1}'),
    timeout: 10_000,
    maxBytes: 100,
    ...more,
  };
}

const fault = async (request: TransportRequest): Promise<string> => {
  using transport = new HttpsTransport();
  return await transport.post(request).then(
    () => 'no fault',
    (error: unknown) => (error instanceof Error ? error.message : 'no error'),
  );
};

test('posts the body to the named host and returns the response', async () => {
  let seen = '';
  listener = (request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => (seen += text));
    request.on('end', () => {
      seen += ` ${request.method} ${request.url} ${request.headers.host}`;
      response.writeHead(418, { 'content-type': 'text/plain', location: '/elsewhere' }).end('tea');
    });
  };
  using transport = new HttpsTransport();
  const { status, contentType, body } = await transport.post(aRequest());
  expect({ status, contentType, body: body.toString() }).toEqual({
    status: 418,
    contentType: 'text/plain',
    body: 'tea',
  });
  expect(seen).toBe('{"a":1} POST /convert?timeout=30s hook.ns.svc:443');
});

test('returns the status of a response that switches protocols, and closes the connection', async () => {
  let closed: Promise<unknown> | undefined;
  listener = (request) => {
    closed = once(request.socket, 'close');
    request.resume().socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  };
  using transport = new HttpsTransport();
  expect(await transport.post(aRequest())).toMatchObject({ status: 101, body: new Uint8Array() });
  await closed;
});

test('accepts a bundle with only the certificate itself and no CA', async () => {
  const { certificate, key } = await authority.issue({ name: 'itself' }, ['127.0.0.1']);
  const itself = createServer({ cert: certificate, key }, (request, response) => request.resume().pipe(response));
  await once(itself.listen(0, '127.0.0.1'), 'listening');
  const connect = { host: '127.0.0.1', port: (itself.address() as AddressInfo).port };
  using transport = new HttpsTransport();
  const answer = await transport.post(aRequest({ connect, serverName: '127.0.0.1', caBundle: certificate }));
  expect(answer.body.toString()).toBe('{"a":1}');
  itself.closeAllConnections();
  itself.close();
});

test('retries a call on a kept connection that the server closed', async () => {
  let sockets = 0;
  const count = (): void => void sockets++;
  server.on('secureConnection', count);
  listener = (request, response) => {
    request.resume().on('end', () => response.end('{}', () => setImmediate(() => request.socket.destroy())));
  };
  using transport = new HttpsTransport();
  for (let i = 0; i < 5; i++) expect((await transport.post(aRequest())).status).toBe(200);
  server.off('secureConnection', count);
  expect(sockets).toBeGreaterThan(1);
});

test('opens 200 connections for 300 concurrent calls and reuses them', async () => {
  let sockets = 0;
  const count = (): void => void sockets++;
  server.on('secureConnection', count);
  const all = Promise.withResolvers<void>();
  let asked = 0;
  listener = (_, response) => {
    if (++asked === 200) all.resolve();
    void all.promise.then(() => response.end('{}'));
  };
  using transport = new HttpsTransport();
  const { connect, caBundle } = aRequest();
  const question = { url: 'https://hook.ns.svc/', caBundle, connect, timeout: 60_000, maxBytes: 100 };
  const answers = await Promise.all(Array.from({ length: 300 }, () => transport.get(question)));
  server.off('secureConnection', count);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(sockets).toBe(200);
});

describe("errors in Go's words", () => {
  test('report a port without a listener', async () => {
    const closed = createPlainServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    expect(await fault(aRequest({ connect: { host: '127.0.0.1', port } }))).toBe(
      `dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
  });

  test('report a certificate with another name', async () => {
    expect(await fault(aRequest({ serverName: 'other.ns.svc' }))).toBe(
      'tls: failed to verify certificate: x509: certificate is valid for hook.ns.svc, not other.ns.svc',
    );
  });

  test('report a certificate of another CA', async () => {
    const caBundle = (await newAuthority(new Date())).certificate;
    expect(await fault(aRequest({ caBundle }))).toBe(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
  });

  test('report a certificate without the address', async () => {
    expect(await fault(aRequest({ serverName: '127.0.0.1' }))).toBe(
      "tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
    );
  });

  test('report a server that is too slow', async () => {
    listener = (request) => request.resume();
    expect(await fault(aRequest({ timeout: 50 }))).toBe(
      'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    );
  });

  test('report a server that is too slow during a response', async () => {
    listener = (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-length': 10 }).write('{');
    };
    expect(await fault(aRequest({ timeout: 50 }))).toBe(
      'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    );
  });

  test('report a response that is too long', async () => {
    listener = (request, response) => {
      request.resume();
      response.end(Buffer.alloc(101));
    };
    expect(await fault(aRequest())).toBe('the answer is longer than 100 bytes');
  });

  test('report a server without TLS', async () => {
    const plain = createPlainServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as AddressInfo;
    expect(await fault(aRequest({ connect: { host: '127.0.0.1', port } }))).toBe(
      'tls: first record does not look like a TLS handshake',
    );
    plain.close();
  });

  test.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '::169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    'fd00:ec2::23',
    '192.0.0.192',
    '0.0.0.0',
    '255.255.255.255',
  ])('reject calls to %s', async (host) => {
    expect(await fault(aRequest({ connect: { host, port: 80 } }))).toContain(
      'link-local and metadata addresses are not called',
    );
  });
});

test('presents its client certificate if it has one', async () => {
  const { certificate, key } = await authority.issue({ name: 'hook' }, ['hook.ns.svc']);
  const asking = createServer({ cert: certificate, key, ca: authority.certificate, requestCert: true }, (_, response) =>
    response.end(`{"authorized":${(response.socket as TLSSocket).authorized}}`),
  );
  asking.listen(0, '127.0.0.1');
  await once(asking, 'listening');
  const connect = { host: '127.0.0.1', port: (asking.address() as AddressInfo).port };
  using transport = new HttpsTransport();
  const client = await authority.issue({ name: 'apiserver' });
  const said = async (more: Partial<TransportRequest>): Promise<string> =>
    Buffer.from(
      (await transport.post(aRequest({ connect, ...more })).catch(() => ({ body: 'refused' }))).body,
    ).toString();
  expect(await said({ client })).toBe('{"authorized":true}');
  expect(await said({})).not.toBe('{"authorized":true}');
  asking.closeAllConnections();
  asking.close();
});

describe('a pod reached via the channel of its node', () => {
  const via = { node: 'n1', podUid: 'u1' };
  /** Connects to the server instead of any pod. */
  const opened: PodAddress[] = [];
  const signals: AbortSignal[] = [];
  const connectPod: ConnectPod = async (pod, signal) => {
    opened.push(pod);
    signals.push(signal);
    return connectSocket((server.address() as AddressInfo).port, '127.0.0.1');
  };
  const aCall = (address: Partial<Address> = {}): TransportRequest =>
    aRequest({ connect: { host: '10.0.0.9', port: 8443, via, ...address } });
  beforeEach(() => {
    opened.splice(0);
    signals.splice(0);
    listener = (request, response) => void request.resume().on('end', () => response.end('{}'));
  });

  test('keeps its connection for further calls of the same pod only', async () => {
    using transport = new HttpsTransport({ connectPod });
    const first = AbortSignal.timeout(1000);
    await transport.post({ ...aCall(), timeout: 1000 });
    if (!first.aborted) await once(first, 'abort');
    await transport.post(aCall());
    expect(opened).toEqual([{ host: '10.0.0.9', port: 8443, via }]);
    expect(signals[0]?.aborted).toBe(false);
    const other = { node: 'n1', podUid: 'u2' };
    await transport.post(aCall({ via: other }));
    expect(opened.slice(1)).toEqual([{ host: '10.0.0.9', port: 8443, via: other }]);
  });

  test('is verified by its certificate', async () => {
    using transport = new HttpsTransport({ connectPod });
    await expect(transport.post({ ...aCall(), serverName: 'other.ns.svc' })).rejects.toThrow(
      'x509: certificate is valid for hook.ns.svc, not other.ns.svc',
    );
  });

  test('gives up while its connection is not open', async () => {
    using transport = new HttpsTransport({
      connectPod: async (_, signal) => {
        signals.push(signal);
        await once(signal, 'abort');
        throw new Error('given up');
      },
    });
    await expect(transport.post({ ...aCall(), timeout: 50 })).rejects.toThrow('context deadline exceeded');
    expect(signals[0]?.aborted).toBe(true);
  });

  test('reports an invalid client certificate', async () => {
    using transport = new HttpsTransport({ connectPod });
    const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    await expect(transport.post({ ...aCall(), client: { certificate, key: '' } })).rejects.toThrow('unable to load');
  });

  test('reports why no connection was opened', async () => {
    const why = new TransportError('dial tcp 10.0.0.9:8443: i/o timeout');
    using transport = new HttpsTransport({ connectPod: () => Promise.reject(why) });
    await expect(transport.post(aCall())).rejects.toBe(why);
  });

  test.each(['127.0.0.1', '::1', '169.254.169.254', 'fe80::1', '0.0.0.0', '224.0.0.1', '168.63.129.16', 'a.name'])(
    'rejects %s before it calls an agent',
    async (host) => {
      using transport = new HttpsTransport({ connectPod });
      await expect(transport.post(aCall({ host }))).rejects.toThrow(/are not called|no address of a pod/);
      expect(opened).toEqual([]);
    },
  );
});
