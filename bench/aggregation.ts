import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { newAuthority } from '#local/certs.ts';
import { Connection } from './connection.ts';
import { quantile, timed } from './samples.ts';
import { ServerProcess } from './server.ts';

const SERVERS = 10;
const CALLS = 1000;
/** The interval between calls in ms. All calls together take longer than a minute, for which the server caches discovery. */
const EVERY = 75;
const KINDS = 20;
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * Measures discovery and a request for a kind of the server itself while one of ten aggregated servers hangs. The bar for the p99 of
 * discovery is 250 ms.
 */
export async function measureAggregation(): Promise<void> {
  const backends: Server[] = [];
  await using server = new ServerProcess();
  await server.start();
  const api = new Connection(server.access);
  const authority = await newAuthority(new Date());
  try {
    await api.request('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'api' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    let isHung = false;
    for (let i = 0; i < SERVERS; i++)
      backends.push(await aBackend(authority, `g${i}.example.com`, () => i === 0 && isHung));
    for (const [i, backend] of backends.entries()) await register(api, authority, `g${i}.example.com`, backend);
    await untilAvailable(api);
    await report('all answer', api);
    isHung = true;
    await report('one hangs', api);
  } finally {
    api.close();
    for (const one of backends) {
      one.closeAllConnections();
      one.close();
    }
  }
}

/** A server with twenty kinds, which does not respond while it hangs. */
async function aBackend(authority: Authority, group: string, isHung: () => boolean): Promise<Server> {
  const { certificate: cert, key } = await authority.issue({ name: 'api' }, ['api.default.svc']);
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  const resources = Array.from({ length: KINDS }, (_, i) => ({
    name: `things${i}`,
    kind: `Thing${i}`,
    namespaced: true,
    verbs,
  }));
  const text = JSON.stringify({ kind: 'APIResourceList', groupVersion: `${group}/v1`, resources });
  const backend = createServer({ cert, key }, (_, response) => {
    if (!isHung()) response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  await once(backend.listen(0, 'localhost'), 'listening');
  return backend;
}

async function register(api: Connection, authority: Authority, group: string, backend: Server): Promise<void> {
  const { port } = backend.address() as AddressInfo;
  await api.request('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'api', port },
      caBundle: Buffer.from(authority.certificate).toString('base64'),
    },
  });
}

async function untilAvailable(api: Connection): Promise<void> {
  for (let available = 0; available < SERVERS; await sleep(100)) {
    const { body } = await api.ask('GET', '/apis/apiregistration.k8s.io/v1/apiservices');
    const { items } = JSON.parse(body.toString()) as { items: { spec: JsonObject; status: JsonObject }[] };
    available = items.filter(
      ({ spec, status }) => spec['service'] !== undefined && JSON.stringify(status).includes('"status":"True"'),
    ).length;
  }
}

async function report(when: string, api: Connection): Promise<void> {
  const discovery: number[] = [];
  const own: number[] = [];
  for (let i = 0; i < CALLS; i++) {
    const begun = performance.now();
    await Promise.all([
      timed(() => api.request('GET', '/apis', undefined, '', DISCOVERY)).then((ms) => discovery.push(ms)),
      timed(() => api.request('GET', '/api/v1/namespaces/default')).then((ms) => own.push(ms)),
    ]);
    await sleep(Math.max(0, EVERY - (performance.now() - begun)));
  }
  for (const [what, samples] of Object.entries({ discovery, 'get of a namespace': own })) {
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(samples, share).toFixed(1));
    console.log(`${when}: ${what}, ${CALLS} calls: p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`);
  }
}
