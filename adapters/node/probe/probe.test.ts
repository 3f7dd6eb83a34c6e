import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, test } from 'vitest';
import { grpcProber } from './grpc.ts';
import { httpProber } from './http.ts';
import { tcpProber } from './tcp.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address() as AddressInfo;
  return address.port;
}

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  return port;
}

const web = (listener: RequestListener): Promise<number> => listening(createHttpServer(listener));
const get = (port: number, path = '/', timeout = 5000, headers: Record<string, string[]> = {}) =>
  httpProber.get({ url: `http://127.0.0.1:${port}${path}`, host: '', headers }, timeout);

describe('an HTTP probe', () => {
  test('sends the path as written and only the given headers', async () => {
    let seen = '';
    const port = await web((request, response) => {
      seen = `${request.url} ${JSON.stringify(request.rawHeaders)}`;
      response.end('ok');
    });
    const { status, body } = await get(port, '/a/../b?x#y', 5000, { 'User-Agent': ['me'] });
    expect([status, body.toString()]).toEqual([200, 'ok']);
    expect(seen).toBe(`/a/../b?x ["User-Agent","me","host","127.0.0.1:${port}","Connection","close"]`);
  });

  test('reads 10 KiB of a response', async () => {
    const port = await web((_, response) => response.end('x'.repeat(1 << 20)));
    expect((await get(port)).body).toHaveLength(10_240);
  });

  test('follows redirects only on the same host', async () => {
    const port = await web((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end();
      else if (request.url === '/next') response.writeHead(307, { location: 'http://elsewhere.example/' }).end('moved');
    });
    const { status, body } = await get(port);
    expect([status, body.toString()]).toEqual([307, 'moved']);
  });

  test('follows at most ten redirects', async () => {
    let count = 0;
    const port = await web((_, response) => {
      count += 1;
      response.writeHead(302, { location: '/again' }).end();
    });
    await expect(get(port)).rejects.toThrow(`Get "http://127.0.0.1:${port}/again": stopped after 10 redirects`);
    expect(count).toBe(10);
  });

  test('reports in Go’s words why no response arrived', async () => {
    const closed = await closedPort();
    await expect(get(closed)).rejects.toThrow(
      `Get "http://127.0.0.1:${closed}/": dial tcp 127.0.0.1:${closed}: connect: connection refused`,
    );
    const silent = await web(() => undefined);
    await expect(get(silent, '/', 50)).rejects.toThrow(
      'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    );
  });

  test('succeeds if the body does not end in time', async () => {
    const port = await web((_, response) => void response.write('x'));
    await expect(get(port, '/', 200)).rejects.toMatchObject({
      name: 'Error',
      message: 'context deadline exceeded (Client.Timeout or context cancellation while reading body)',
    });
  });

  test('reports a server that responds with plain HTTP', async () => {
    const port = await web((_, response) => response.end());
    const url = `https://127.0.0.1:${port}/`;
    await expect(httpProber.get({ url, host: '', headers: {} }, 5000)).rejects.toMatchObject({
      isPlainHttp: true,
      message: `Get "${url}": http: server gave HTTP response to HTTPS client`,
    });
  });
});

describe('a TCP probe', () => {
  test('succeeds for a port with a listener', async () => {
    const port = await listening(createServer((socket) => void socket.on('error', () => undefined)));
    expect(await tcpProber.connect('127.0.0.1', port, 5000)).toEqual({ result: 'success', output: '' });
  });

  test('fails for a port without a listener', async () => {
    const port = await closedPort();
    expect(await tcpProber.connect('127.0.0.1', port, 5000)).toEqual({
      result: 'failure',
      output: `dial tcp 127.0.0.1:${port}: connect: connection refused`,
    });
  });
});

describe('a gRPC probe', () => {
  const PATH = '/grpc.health.v1.Health/Check';
  const bytes = (value: Buffer): Buffer => value;

  async function health(answer?: (service: string) => Buffer | { code: number; details: string } | undefined) {
    const server = new GrpcServer();
    if (answer !== undefined)
      server.addService(
        {
          check: {
            path: PATH,
            requestStream: false,
            responseStream: false,
            requestSerialize: bytes,
            requestDeserialize: bytes,
            responseSerialize: bytes,
            responseDeserialize: bytes,
          },
        },
        {
          check(call: { request: Buffer }, done: (error: object | null, value?: Buffer) => void) {
            const given = answer(call.request.subarray(2).toString());
            if (given === undefined) return;
            if (Buffer.isBuffer(given)) done(null, given);
            else done(given);
          },
        },
      );
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    return { port, [Symbol.dispose]: () => server.forceShutdown() };
  }

  test.each<[string, (service: string) => Buffer | { code: number; details: string } | undefined, string]>([
    ['SERVING', () => Buffer.from([8, 1]), 'success: service healthy'],
    ['NOT_SERVING', () => Buffer.from([8, 2]), 'failure: service unhealthy (responded with "NOT_SERVING")'],
    ['nothing', () => Buffer.alloc(0), 'failure: service unhealthy (responded with "UNKNOWN")'],
    [
      'NotFound',
      () => ({ code: 5, details: 'unknown service' }),
      'failure: error: health rpc probe failed: rpc error: code = NotFound desc = unknown service',
    ],
    ['silence', () => undefined, 'failure: timeout: health rpc did not complete within 1s'],
  ])("maps the server's status %s to a result", async (_, answer, expected) => {
    let asked = '';
    using server = await health((service) => {
      asked = service;
      return answer(service);
    });
    const { result, output } = await grpcProber.check('127.0.0.1', server.port, 'svc', 1000);
    expect(`${result}: ${output}`).toBe(expected);
    expect(asked).toBe('svc');
  });

  test('fails for a server without the health service', async () => {
    using server = await health();
    const { output } = await grpcProber.check('127.0.0.1', server.port, '', 5000);
    expect(output).toContain(
      'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ',
    );
  });

  test('fails without a server', async () => {
    const port = await closedPort();
    const { output } = await grpcProber.check('127.0.0.1', port, '', 100);
    expect(output).toBe(
      `timeout: failed to connect service "127.0.0.1:${port}" within 100ms: context deadline exceeded`,
    );
  });
});
