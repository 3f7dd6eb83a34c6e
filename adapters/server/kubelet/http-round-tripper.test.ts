import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import type { BackendRequest, BackendResponse, BackendTls, NamedTls } from '#lib/server/channel/round-tripper.ts';
import { newAuthority } from '#local/certs.ts';
import { eventually } from '#test/support/eventually.ts';
import { settled } from '#test/support/settled.ts';
import { HttpRoundTripper } from './http-round-tripper.ts';
import { TcpDialer } from './tcp-dialer.ts';

let authority: Authority;
beforeAll(async () => {
  authority = await newAuthority(new Date());
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A backend that calls `act` with each connection, after the first bytes of a request. */
async function backend(act: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => {}).once('data', () => act(socket)));
  return listening(server);
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const dialer = new TcpDialer({ isForbidden: () => false });

function sent(port: number, more: Partial<BackendRequest> = {}, own?: string): Promise<BackendResponse> {
  const isSelf = (shown: X509Certificate): boolean =>
    own !== undefined && shown.fingerprint256 === new X509Certificate(own).fingerprint256;
  return sentBy(new HttpRoundTripper({ dialer, caBundle: '', timeout: 5000, isSelf }), port, more);
}

function sentBy(by: HttpRoundTripper, port: number, more: Partial<BackendRequest>): Promise<BackendResponse> {
  return by.send({
    target: { host: '127.0.0.1', port, globalOnly: false },
    tls: 'none',
    method: 'GET',
    path: '/',
    headers: { host: 'x', connection: 'close' },
    body: new Uint8Array(),
    signal: new AbortController().signal,
    ...more,
  });
}

const textOf = async ({ body }: BackendResponse): Promise<string> => (await Array.fromAsync(body, String)).join('');

describe.each(['GET', 'HEAD', 'DELETE', 'POST'])('the body of a %s is never parsed as a second request', (method) => {
  const BODY = Buffer.from('POST /run');
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield BODY;
  }

  test.each<[string, Partial<BackendRequest>, string, string]>([
    ['complete', { body: BODY }, 'content-length: 9', '\r\n\r\nPOST /run'],
    ['of known length', { body: stream(), headers: { 'content-length': '9' } }, 'content-length: 9', '\nPOST /run'],
    ['of unknown length', { body: stream() }, 'transfer-encoding: chunked', '\r\n\r\n9\r\nPOST /run\r\n0\r\n\r\n'],
  ])('sends a body that is %s', async (_, request, frame, end) => {
    const asked = Promise.withResolvers<string>();
    const port = await listening(
      createServer((socket) => {
        let text = '';
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString();
          if (!text.endsWith(end)) return;
          asked.resolve(text);
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        });
      }),
    );
    await sent(port, { method, ...request });
    expect(await asked.promise).toContain(`\r\n${frame}\r\n`);
  });
});

test('ends the request if the body breaks off', async () => {
  const gone = Promise.withResolvers<void>();
  const port = await listening(createServer((socket) => void socket.resume().once('close', () => gone.resolve())));
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('first');
    throw new Error('the client is gone');
  }
  await expect(sent(port, { method: 'POST', body: broken() })).rejects.toThrow('unexpected EOF');
  await gone.promise;
});

test('does not consume a body that the backend does not read', async () => {
  let taken = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; ; taken++) yield Buffer.alloc(1 << 20);
  }
  const reached = Promise.withResolvers<void>();
  const port = await backend((socket) => {
    socket.pause();
    reached.resolve();
  });
  const gone = new AbortController();
  const answer = sent(port, { method: 'POST', body: endless(), signal: gone.signal });
  await reached.promise;
  await settled(100);
  expect(taken).toBeLessThan(64);
  gone.abort();
  await expect(answer).rejects.toThrow();
});

test('accepts a response before the backend has read the whole body', async () => {
  let isOver = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(1 << 16);
    } finally {
      isOver = true;
    }
  }
  const port = await backend((socket) => {
    socket.pause();
    socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno');
  });
  const answer = await sent(port, { method: 'POST', body: endless() });
  expect(`${answer.status} ${await textOf(answer)}`).toBe('413 no');
  await eventually(() => expect(isOver).toBe(true));
});

test.each<[string, (socket: Socket) => void]>([
  ['ends', (socket) => void socket.end()],
  ['breaks off', (socket) => void socket.resetAndDestroy()],
])('ends a session when its backend %s, even if the client still sends', async (_, leave) => {
  const port = await backend((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: Upgrade\r\n\r\n', () => leave(socket));
  });
  const headers = { host: 'x', connection: 'Upgrade', upgrade: 'x' };
  const { upgrade, body } = await sent(port, { headers });
  let isOver = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(1 << 16);
    } finally {
      isOver = true;
    }
  }
  await Promise.all([upgrade?.receive(endless()), Array.fromAsync(body).catch(() => {})]);
  expect(isOver).toBe(true);
});

test('passes the last bytes of a client to the backend', async () => {
  const got = Promise.withResolvers<number>();
  const port = await listening(
    createServer((socket) => {
      let length = 0;
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: Upgrade\r\n\r\n');
        socket.on('data', (chunk) => (length += chunk.length)).once('close', () => got.resolve(length));
      });
      socket.on('error', () => {});
    }),
  );
  const { upgrade } = await sent(port, { headers: { host: 'x', connection: 'Upgrade', upgrade: 'x' } });
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 16; i++) yield Buffer.alloc(1 << 16);
  }
  await upgrade?.receive(bytes());
  expect(await got.promise).toBe(1 << 20);
});

describe('a response of a backend', () => {
  test.each(['000', '099', '600', '999'])('is rejected with status %s', async (status) => {
    const port = await backend((socket) => socket.end(`HTTP/1.1 ${status} x\r\ncontent-length: 0\r\n\r\n`));
    await expect(sent(port)).rejects.toThrow(`malformed HTTP status code "${Number(status)}"`);
  });

  test('accepts a few informational responses, but not many', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n';
    const last = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    const few = await backend((socket) => socket.end(`${early.repeat(4)}HTTP/1.1 100 Continue\r\n\r\n${last}`));
    expect(await textOf(await sent(few))).toBe('ok');
    const many = await backend((socket) => socket.end(early.repeat(6) + last));
    await expect(sent(many)).rejects.toThrow('net/http: too many 1xx informational responses');
  });

  test.each<[string, string]>([
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\nhello'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['lines without CR', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
    ['a head of 64 KiB', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1 << 16)}\r\n\r\n`],
    ['NUL in a header', 'HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n'],
    ['a header of HTTP/2', 'HTTP/1.1 200 OK\r\n:status: 500\r\n\r\n'],
  ])('is rejected with %s', async (_, text) => {
    const port = await backend((socket) => socket.end(text));
    await expect(sent(port)).rejects.toThrow('Parse Error');
  });

  test('is rejected without a head, and quoted in the error', async () => {
    const port = await backend((socket) => socket.end('hello "you"\r\n\r\n'));
    const text = String.raw`net/http: HTTP/1.x transport connection broken: malformed HTTP response "hello \"you\""`;
    await expect(sent(port)).rejects.toThrow(text);
  });

  test.each<[string, string]>([
    ['a body shorter than it says', 'HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhello'],
    ['a chunk of invalid size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nx'],
    [
      'a chunk extension of 1 MiB',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;${'a'.repeat(1 << 20)}\r\nx`,
    ],
  ])('is cut off with %s', async (_, text) => {
    const port = await backend((socket) => socket.end(text));
    await expect(sent(port).then(textOf)).rejects.toMatchObject({ name: 'TransportError', message: 'unexpected EOF' });
  });

  test('ends its connection if it is not read', async () => {
    const gone = Promise.withResolvers<void>();
    const port = await backend((socket) => {
      socket.write('HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\n\r\n');
      socket.once('close', () => gone.resolve());
    });
    const { body } = await sent(port);
    await body[Symbol.asyncIterator]().return?.();
    await gone.promise;
  });
});

/** Matches texts without a thread id or an OpenSSL file name. */
const OWN_WORDS = /^(local error: )?tls: [a-z ]+$/i;

/** OpenSSL only supports such versions below its default security level. */
const OLD: TlsOptions = { ciphers: 'DEFAULT@SECLEVEL=0' };

describe('TLS to a backend', () => {
  const secureBackend = async (act?: (socket: Socket) => void): Promise<{ port: number; certificate: string }> => {
    const { certificate, key } = await authority.issue({ name: 'node' }, ['127.0.0.1']);
    const server = createTlsServer({ cert: certificate, key, maxVersion: 'TLSv1.2' }, (socket) => {
      act?.(socket.on('error', () => {}));
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    });
    return { port: await listening(server), certificate };
  };

  test.each<BackendTls>(['kubelet', 'kubelet-unverified', 'unverified'])(
    'ends before a request if the peer is the API server itself (%s)',
    async (tls) => {
      let asked = '';
      const { port, certificate } = await secureBackend(
        (socket) => void socket.on('data', (chunk: Buffer) => (asked += chunk.toString())),
      );
      await expect(sent(port, { tls }, certificate)).rejects.toThrow(
        `dial tcp 127.0.0.1:${port}: this is the API server itself`,
      );
      const { certificate: other } = await authority.issue({ name: 'node' }, ['127.0.0.1']);
      expect(asked).toBe('');
      expect(await textOf(await sent(port, { tls }, other))).toBe('ok');
    },
  );

  test.each<[string, TlsOptions, readonly string[], string]>([
    ['the certificate of another node', {}, ['10.9.9.9'], 'certificate is valid for 10.9.9.9, not 127.0.0.1'],
    ['an old version', { ...OLD, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }, ['127.0.0.1'], 'tls: '],
  ])('is rejected with %s', async (_, options, names, why) => {
    const { certificate, key } = await authority.issue({ name: 'other' }, names);
    const server = createTlsServer(
      { cert: certificate, key, ...options },
      (socket) => void socket.on('error', () => {}),
    );
    const verifying = new HttpRoundTripper({ dialer, caBundle: authority.certificate, timeout: 5000 });
    await expect(sentBy(verifying, await listening(server), { tls: 'kubelet' })).rejects.toThrow(why);
  });

  test.each<[string, readonly string[], Partial<NamedTls>, string | undefined]>([
    ['a name that the certificate has', ['api.ns.svc'], {}, undefined],
    ['another name', ['other.ns.svc'], {}, 'certificate is valid for other.ns.svc, not api.ns.svc'],
    ['another authority', ['api.ns.svc'], { caBundle: '' }, 'certificate signed by unknown authority'],
    ['any certificate', ['other.ns.svc'], { caBundle: '', insecureSkipVerify: true }, undefined],
  ])('verifies the certificate of a Service: %s', async (_, names, more, why) => {
    const { certificate, key } = await authority.issue({ name: 'api' }, names);
    const client = await authority.issue({ name: 'front-proxy-client' });
    const trust = { ca: authority.certificate, requestCert: true, rejectUnauthorized: true };
    const server = createTlsServer({ cert: certificate, key, ...trust }, (socket) => {
      const { CN } = socket.getPeerCertificate().subject;
      socket.on('error', () => {}).once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${String(CN)}`));
    });
    const named = { serverName: 'api.ns.svc', caBundle: authority.certificate, insecureSkipVerify: false, client };
    const asked = sent(await listening(server), { tls: { ...named, ...more } });
    if (why === undefined) expect(await textOf(await asked)).toBe('front-proxy-client');
    else await expect(asked).rejects.toThrow(why);
  });

  test('is not renegotiated', async () => {
    const refused = Promise.withResolvers<string>();
    const { certificate, key } = await authority.issue({ name: 'node' }, ['127.0.0.1']);
    const server = createTlsServer({ cert: certificate, key, maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', ({ message }) => refused.resolve(message));
      socket.once('data', () => socket.renegotiate({ requestCert: true }, () => {}));
    });
    const answer = sent(await listening(server), { tls: 'unverified' });
    await expect(answer).rejects.toThrow();
    expect(await refused.promise).toMatch(/no renegotiation/i);
  });

  test('fails only the request if other data follows the handshake', async () => {
    const { port: real } = await secureBackend();
    const port = await listening(
      createServer((client) => {
        const upstream = connect(real, '127.0.0.1');
        client.on('error', () => {}).pipe(upstream.on('error', () => {}));
        upstream.on('data', (record: Buffer) => {
          const isLast = record.includes(Buffer.from([0x14, 3, 3, 0, 1, 1])); // ChangeCipherSpec
          client.write(isLast ? Buffer.concat([record, Buffer.alloc(64, 7)]) : record);
        });
      }),
    );
    const answer = sent(port, { tls: 'unverified' });
    await expect(answer).rejects.toMatchObject({ name: 'TransportError', message: expect.stringMatching(OWN_WORDS) });
  });

  test("reports a TLS alert without OpenSSL's source position", async () => {
    const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);
    const port = await backend((socket) => socket.end(alert));
    await expect(sent(port, { tls: 'unverified' })).rejects.toThrow(/^remote error: tls: handshake failure$/);
  });
});
