import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

let server: RunningApiserver;
let request: Requester;
const SERVICES = '/api/v1/namespaces/here/services';
const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses';

beforeAll(async () => {
  server = await startApiserver({ controllers: false });
  request = requester(server);
  await request('POST', '/api/v1/namespaces', { metadata: { name: 'here' } });
});
afterAll(() => server.close());

const service = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

const specOf = (body: JsonObject): JsonObject => objectAt(body, 'spec') ?? {};
const nodePortsOf = (body: JsonObject): unknown[] => items(specOf(body), 'ports').map((port) => port['nodePort']);

async function create(name: string, spec: JsonObject = {}): Promise<JsonObject> {
  const { status, body } = await request('POST', SERVICES, service(name, spec));
  expect(status, String(body['message'])).toBe(201);
  return body;
}

const addressesInUse = async (): Promise<string[]> =>
  items((await request('GET', ADDRESSES)).body, 'items').map((one) => text(objectAt(one, 'metadata'), 'name'));

describe('allocation for a new service', () => {
  test('assigns an address from the network and creates its IPAddress', async () => {
    const spec = specOf(await create('plain'));
    expect(text(spec, 'clusterIP')).toMatch(/^10\.96\.\d+\.\d+$/);
    expect(spec).toMatchObject({
      clusterIPs: [spec['clusterIP']],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
    const { body } = await request('GET', `${ADDRESSES}/${text(spec, 'clusterIP')}`);
    expect(specOf(body)).toEqual({ parentRef: { resource: 'services', namespace: 'here', name: 'plain' } });
  });

  test('assigns no address to a headless or ExternalName service', async () => {
    expect(specOf(await create('headless', { clusterIP: 'None' }))['clusterIP']).toBe('None');
    expect(specOf(await create('elsewhere', { type: 'ExternalName', externalName: 'a.example' }))).not.toHaveProperty(
      'clusterIP',
    );
  });

  test('assigns one node port to both protocols of a port', async () => {
    const ports = [
      { name: 'tcp', port: 53 },
      { name: 'udp', port: 53, protocol: 'UDP' },
      { name: 'other', port: 80 },
    ];
    const [tcp, udp, other] = nodePortsOf(await create('ports', { type: 'NodePort', ports }));
    expect(tcp).toBe(udp);
    expect(other).not.toBe(tcp);
    for (const port of [tcp, other]) expect(port).toSatisfy((n: number) => n >= 30_000 && n <= 32_767);
  });

  test('assigns a health check port for the traffic policy Local', async () => {
    const spec = specOf(await create('healthy', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }));
    expect(spec['healthCheckNodePort']).toSatisfy((n: number) => n >= 30_000 && n <= 32_767);
  });
});

describe('rejection of a chosen value', () => {
  const port = (nodePort: number): JsonObject => ({ type: 'NodePort', ports: [{ port: 80, nodePort }] });
  const CASES: readonly [string, JsonObject, string, string][] = [
    [
      'an address outside the network',
      { clusterIP: '10.111.0.1' },
      'spec.clusterIPs',
      'failed to allocate IP 10.111.0.1: the provided network does not match the current range',
    ],
    [
      'a taken address',
      { clusterIP: '10.96.0.77' },
      'spec.clusterIPs',
      'failed to allocate IP 10.96.0.77: provided IP is already allocated',
    ],
    [
      'a port outside the range',
      port(1234),
      'spec.ports[0].nodePort',
      'provided port is not in the valid range. The range of valid ports is 30000-32767',
    ],
    ['a taken port', port(30_077), 'spec.ports[0].nodePort', 'provided port is already allocated'],
    [
      'a family that the cluster lacks',
      { ipFamilies: ['IPv6'] },
      'spec.ipFamilies[0]',
      'not configured on this cluster',
    ],
  ];
  beforeAll(() => create('first', { clusterIP: '10.96.0.77', ...port(30_077) }));

  test.each(CASES)('returns 422 for %s', async (title, spec, field, message) => {
    const before = await addressesInUse();
    // Upstream's dry run does not check chosen ports.
    for (const query of title.includes('port') ? [''] : ['', '?dryRun=All']) {
      const { status, body } = await request('POST', `${SERVICES}${query}`, service('second', spec));
      expect(status).toBe(422);
      expect(items(objectAt(body, 'details'), 'causes')).toMatchObject([
        { field, message: expect.stringContaining(message) },
      ]);
    }
    expect(await addressesInUse()).toEqual(before);
  });
});

describe('release of allocated values', () => {
  test('releases all values after the service is deleted', async () => {
    const chosen = { type: 'NodePort', clusterIP: '10.96.0.80', ports: [{ port: 80, nodePort: 30_080 }] };
    await create('again', chosen);
    await request('DELETE', `${SERVICES}/again`);
    expect(await addressesInUse()).not.toContain('10.96.0.80');
    expect(nodePortsOf(await create('again', chosen))).toEqual([30_080]);
  });

  test('releases the address only after the last finalizer is removed', async () => {
    await request('POST', SERVICES, {
      ...service('held', { clusterIP: '10.96.0.81' }),
      metadata: { name: 'held', finalizers: ['example.com/hold'] },
    });
    await request('DELETE', `${SERVICES}/held`);
    expect(await addressesInUse()).toContain('10.96.0.81');
    await request('PATCH', `${SERVICES}/held`, { metadata: { finalizers: null } });
    expect(await addressesInUse()).not.toContain('10.96.0.81');
  });

  test('releases the node port if the type is no longer NodePort', async () => {
    const port = { port: 80, nodePort: 30_082 };
    await create('typed', { type: 'NodePort', ports: [port] });
    const { body } = await request('PATCH', `${SERVICES}/typed`, { spec: { type: 'ClusterIP' } });
    expect(nodePortsOf(body)).toEqual([undefined]);
    expect(nodePortsOf(await create('typed-next', { type: 'NodePort', ports: [port] }))).toEqual([30_082]);
  });

  test('releases the values of a rejected create', async () => {
    await create('taken');
    const before = (await addressesInUse()).length;
    expect((await request('POST', SERVICES, service('taken', { clusterIP: '10.96.0.83' }))).status).toBe(409);
    expect(await addressesInUse()).toHaveLength(before);
  });

  test('releases nothing on an update without an address', async () => {
    const before = specOf(await create('kept'));
    const { body } = await request('PUT', `${SERVICES}/kept`, service('kept', { sessionAffinity: 'ClientIP' }));
    expect(specOf(body)).toMatchObject({ clusterIP: before['clusterIP'], sessionAffinity: 'ClientIP' });
    expect(await addressesInUse()).toContain(text(before, 'clusterIP'));
  });
});

test('allocates no values in a dry run', async () => {
  const before = await addressesInUse();
  const { body } = await request('POST', `${SERVICES}?dryRun=All`, service('shown', { type: 'NodePort' }));
  expect(specOf(body)['clusterIP']).toBe('10.96.0.0');
  expect(nodePortsOf(body)).toEqual([30_000]);
  expect(await addressesInUse()).toEqual(before);
});

test('allocates addresses from every ready network', async () => {
  const CIDRS = '/apis/networking.k8s.io/v1/servicecidrs';
  await request('POST', CIDRS, { metadata: { name: 'more' }, spec: { cidrs: ['10.98.0.0/29'] } });
  await request('POST', CIDRS, { metadata: { name: 'kubernetes' }, spec: { cidrs: ['10.96.0.0/16'] } });
  const chosen = service('afar', { clusterIP: '10.98.0.1' });
  expect((await request('POST', SERVICES, chosen)).status).toBe(422);
  const ready = { type: 'Ready', status: 'True', reason: '', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
  await request('PATCH', `${CIDRS}/more/status`, { status: { conditions: [ready] } });
  expect((await request('POST', SERVICES, chosen)).status).toBe(201);
  expect((await request('POST', SERVICES, service('edge', { clusterIP: '10.98.0.7' }))).status).toBe(422);
});

test('allocates distinct values to concurrently created services', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `crowd-${index}`);
  const specs = (await Promise.all(names.map((name) => create(name, { type: 'NodePort' })))).map(specOf);
  expect(new Set(specs.flatMap((spec) => texts(spec, 'clusterIPs'))).size).toBe(40);
  expect(new Set(specs.flatMap((spec) => items(spec, 'ports').map((port) => port['nodePort']))).size).toBe(40);
});

test('gives an address to only one of many concurrent requests', async () => {
  const wanted = Array.from({ length: 10 }, (_, index) => service(`rival-${index}`, { clusterIP: '10.96.0.90' }));
  const answers = await Promise.all(wanted.map((one) => request('POST', SERVICES, one)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 422)]);
});
