import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { apiServiceStatusController } from '#lib/controllers/apiservice-status/reconcile.ts';
import { newFrontProxy } from '#lib/controllers/certificates/front-proxy.ts';
import { authorityOf } from '#lib/controllers/certificates/issue.ts';
import { keptFrontProxy } from '#lib/controllers/certificates/kept-front-proxy.ts';
import type { SharedSecret } from '#lib/controllers/certificates/kept-signer.ts';
import { newSigner } from '#lib/controllers/certificates/new-signer.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { openAggregated } from './aggregated-backends.ts';

const NAME = 'v1.wardle.example.com';
const now = new Date();

/** An account's secret store, used by this process only. */
const secrets = new Map<string, string>();
const secret: SharedSecret = async (name, make) => {
  const kept = secrets.get(name) ?? Buffer.from(await make()).toString();
  secrets.set(name, kept);
  return kept;
};

await expect(openAggregated({ secret })).rejects.toMatchObject({ code: 503 });
const { authority: proxyAuthority } = await keptFrontProxy(secret, () => newFrontProxy(now));

const { server } = serverInProcess({
  clock: systemClock,
  aggregated: { roundTripper: await openAggregated({ secret }) },
});
const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'test' });
let backend: Server;

beforeAll(async () => {
  const authority = authorityOf(await newSigner(now), now);
  const { certificate, key } = await authority.issue({ name: 'api' }, ['api.default.svc']);
  backend = createServer(
    { cert: certificate, key, ca: proxyAuthority, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const peer = (request.socket as TLSSocket).getPeerCertificate().subject.CN;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ peer, user: request.headers['x-remote-user'], url: request.url }));
    },
  );
  await once(backend.listen(0, 'localhost'), 'listening');
  const { port } = backend.address() as AddressInfo;
  await client.create({ group: '', version: 'v1', resource: 'namespaces' }, { metadata: { name: 'default' } });
  await client.create(
    { group: '', version: 'v1', resource: 'services' },
    { metadata: { name: 'api', namespace: 'default' }, spec: { type: 'ExternalName', externalName: 'localhost' } },
  );
  await client.create(
    { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' },
    {
      metadata: { name: NAME },
      spec: {
        group: 'wardle.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        service: { namespace: 'default', name: 'api', port },
        caBundle: Buffer.from(authority.certificate).toString('base64'),
      },
    },
  );
});
afterAll(async () => {
  backend.close();
  await server.close();
});

async function condition(): Promise<unknown> {
  const resource = { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' };
  const { status } = (await client.get({ resource, namespace: '', name: NAME })) as {
    status?: { conditions?: unknown[] };
  };
  return status?.conditions?.[0];
}

const get = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
  const { status, body } = await server.handle({
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers: { authorization: `Bearer ${server.loopbackToken}` },
    body: async () => new Uint8Array(),
    signal: () => new AbortController().signal,
  });
  const parts: Uint8Array[] = [];
  if (typeof body === 'string' || body instanceof Uint8Array) parts.push(Buffer.from(body));
  else for await (const part of body) parts.push(part);
  return { status, text: Buffer.concat(parts).toString() };
};

/** Reconciles with a new controller, as an account does for each message in its queue. */
const check = (asks = true) => {
  const { availability } = server;
  if (availability === undefined) throw new Error('no aggregated server is reached');
  const ports = asks ? availability : { ...availability, check: undefined };
  return apiServiceStatusController(client, systemClock, ports).reconcile(NAME);
};

test("presents the account's certificate, which the APIService's server verifies, and passes the user", async () => {
  expect(await check()).toEqual({ requeueAfter: 30_000 });
  expect(await condition()).toMatchObject({ type: 'Available', status: 'True', reason: 'Passed' });
  const { status, text } = await get('/apis/wardle.example.com/v1/flunders');
  expect([status, JSON.parse(text)]).toEqual([
    200,
    { peer: 'front-proxy-client', user: 'system:apiserver', url: '/apis/wardle.example.com/v1/flunders' },
  ]);
});

test('retries a missing server with increasing delays, once for all clients', async () => {
  backend.closeAllConnections();
  await new Promise((closed) => backend.close(closed));
  expect(await check()).toEqual({ requeueAfter: 250 });
  expect(await check()).toEqual({ requeueAfter: 500 });
  expect(await condition()).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' });
});

test('treats a server that it may not check as available, and forwards requests', async () => {
  expect(await check(false)).toBeUndefined();
  expect(await condition()).toMatchObject({ status: 'True', reason: 'Passed' });
  const { status, text } = await get('/apis/wardle.example.com/v1/flunders');
  expect([status, text]).toEqual([503, expect.stringContaining('error trying to reach service')]);
});
