import { describe, expect, test } from 'vitest';
import { serviceUnavailable } from '#lib/machinery/errors.ts';
import type { BackendResponse } from '#lib/server/channel/round-tripper.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { eventually } from '#test/support/eventually.ts';
import { type ProxyPorts, proxyHandler } from './proxy-handler.ts';
import type { RemoteService } from './remote-services.ts';
import { anAnswer, answering, aRemote } from './testing.ts';

const FLUNDERS = '/apis/wardle.example.com/v1/namespaces/x/flunders';

interface Asked {
  readonly request?: Partial<ApiRequest>;
  readonly remote?: Partial<RemoteService>;
}

async function proxied(ports: ProxyPorts, { request: more, remote }: Asked = {}): Promise<ApiResponse> {
  const user = { name: 'ann', groups: ['a', 'b'], uid: 'u1', extra: { scopes: ['s'] } };
  const context = aRequestContext({ path: FLUNDERS, ...more }, { auditId: 'audit-1', user });
  return proxyHandler(ports, aRemote(remote))(context);
}

const ok = (): BackendResponse => anAnswer(200, 'ok', { 'content-type': 'application/x' });

const textOf = async ({ body }: ApiResponse): Promise<string> => {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString() : (await Array.fromAsync(body, String)).join('');
};

describe('a request that cannot be forwarded', () => {
  const clock = new ManualClock();
  const refusing = answering(clock, () => {
    throw new TransportError('dial tcp 10.0.0.2:8443: connect: connection refused');
  });
  const nowhere = { roundTripper: refusing.backends.roundTripper };
  test.each<[string, ProxyPorts, Asked, number, string]>([
    [
      'if aggregated servers cannot be reached',
      { clock },
      {},
      503,
      'service unavailable: this deployment does not reach aggregated',
    ],
    [
      'to a server that is not available',
      answering(clock, ok),
      { remote: { isAvailable: false } },
      503,
      'service unavailable\n',
    ],
    [
      'if the Service cannot be resolved',
      {
        clock,
        backends: { ...nowhere, resolver: { resolve: async () => Promise.reject(serviceUnavailable('none')) } },
      },
      {},
      503,
      'service unavailable\n',
    ],
    [
      'if the server refuses the connection',
      refusing,
      {},
      503,
      'error trying to reach service: dial tcp 10.0.0.2:8443: connect: connection refused\n',
    ],
    [
      'with an upgrade that is not made',
      answering(clock, () => anAnswer(200)),
      { request: { upgrade: 'websocket' } },
      503,
      'invalid upgrade response: status code 200\n',
    ],
    [
      'whose server redirects',
      answering(clock, () => anAnswer(302, '', { location: 'https://169.254.169.254/' })),
      {},
      502,
      'the backend attempted to redirect this request, which is not permitted',
    ],
  ])('fails with an error %s', async (_, ports, asked, status, text) => {
    const answer = await proxied(ports, asked);
    expect(answer.status).toBe(status);
    expect(await textOf(answer)).toContain(text);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers).not.toHaveProperty('location');
  });
});

describe('a forwarded request', () => {
  test('goes to the endpoint with the name of its Service', async () => {
    const ports = answering(new ManualClock(), ok);
    const answer = await proxied(ports, {
      request: { path: `${FLUNDERS}/a%20b`, query: new URLSearchParams('watch=true&b=2&a=1 2') },
    });
    expect(ports.sent[0]).toMatchObject({
      method: 'GET',
      path: `${FLUNDERS}/a%20b?a=1+2&b=2&watch=true`,
      target: { host: '10.0.0.2', port: 8443, globalOnly: false },
      tls: {
        serverName: 'api.ns.svc',
        caBundle: 'CA',
        insecureSkipVerify: false,
        client: { certificate: 'CERT', key: 'KEY' },
      },
    });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/x' } });
    expect(await textOf(answer)).toBe('ok');
  });

  test("identifies the user, whatever the client's headers contain", async () => {
    const ports = answering(new ManualClock(), ok);
    const lies = {
      'x-remote-user': 'root',
      'x-remote-group': 'system:masters',
      'x-remote-extra-a': 'b',
      accept: 'x/y',
    };
    const rawHeaders = [
      'X-Remote-User',
      'root',
      'X-Remote-Group',
      'system:masters',
      'X-Remote-Extra-A',
      'b',
      'Accept',
      'x/y',
    ];
    await proxied(ports, { request: { headers: lies, rawHeaders, connection: { remoteAddress: '192.0.2.1' } } });
    expect(ports.sent[0]?.headers).toEqual({
      accept: ['x/y'],
      'audit-id': 'audit-1',
      connection: 'close',
      host: '10.0.0.2:8443',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': '10.0.0.2:8443',
      'x-forwarded-proto': 'https',
      'x-forwarded-uri': FLUNDERS,
      'x-remote-extra-scopes': ['s'],
      'x-remote-group': ['a', 'b'],
      'x-remote-uid': 'u1',
      'x-remote-user': 'ann',
    });
  });

  test.each([
    ['discovery', '/apis/wardle.example.com/v1', 5000],
    ['a read', FLUNDERS, 60_000],
  ])('waits for the headers of %s at %s for %d ms', async (_, path, limit) => {
    const clock = new ManualClock();
    const ends: unknown[] = [];
    const ports = answering(clock, ({ signal }) => {
      signal.addEventListener('abort', () => ends.push('aborted'));
      return new Promise(() => {});
    });
    const answer = proxied(ports, { request: { path } });
    await eventually(() => expect(ports.sent.length).toBe(1));
    clock.advance(limit - 1);
    expect(ends).toEqual([]);
    clock.advance(1);
    expect(await answer).toMatchObject({ status: 503, body: expect.stringContaining('context deadline exceeded') });
    expect(ends).toEqual(['aborted']);
  });
});
