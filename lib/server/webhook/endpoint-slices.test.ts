import { describe, expect, test } from 'vitest';
import { NODES } from '#lib/api/types/resources.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ByteBudget } from '#lib/storage/cache/budget.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { objectKey } from '#lib/storage/keys.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Storage, StorageOf } from '#lib/storage/storage.ts';
import { endpointSlices } from './endpoint-slices.ts';

const service = (spec: JsonObject): JsonObject => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name: 'hook', namespace: 'ns' },
  spec,
});
const slice = (name: string, fields: JsonObject): JsonObject => ({
  kind: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  metadata: { name, namespace: 'ns', labels: { 'kubernetes.io/service-name': 'hook' } },
  ...fields,
});

/** Storages with the objects, by resource. */
async function stored(objects: readonly JsonObject[]): Promise<StorageOf> {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock, retention: 3_600_000 });
  const storages = new Map<string, Storage>();
  const storageOf = ({ resource }: { resource: string }): Storage => {
    const known = storages.get(resource);
    if (known !== undefined) return known;
    const made = new ResourceCache({
      sequence: store.sequence(resource),
      clock,
      exclusive: true,
      budget: new ByteBudget(1_000_000, clock),
      summarize: summarizeBody,
    });
    storages.set(resource, made);
    return made;
  };
  for (const object of objects) {
    const kind = String(object['kind']);
    const resource = `${kind.toLowerCase()}s`;
    const { name, namespace = '' } = object['metadata'] as { name: string; namespace?: string };
    const group = kind === 'EndpointSlice' ? 'discovery.k8s.io' : '';
    const key = objectKey({ cluster: 'main', group, resource, namespace, name });
    const summary = { labels: labelsOf(object), fields: {}, generation: 0, ownerReferences: [] };
    await storageOf({ resource }).mutate(key, () => ({
      action: 'put',
      body: encodeObject(object),
      summary,
      result: undefined,
    }));
  }
  return storageOf;
}

/** The address that a resolver returns if `random` returns these numbers in order. */
async function resolved(
  objects: readonly JsonObject[],
  { port = 443, draws = [], ...ports }: { port?: number; draws?: number[]; storageOf?: StorageOf } = {},
): Promise<unknown> {
  const storageOf = ports.storageOf ?? (await stored(objects));
  const random = (): number => draws.shift() ?? 0;
  return endpointSlices({ cluster: 'main', storageOf, random, hasChannel: (node) => node === 'n1' })
    .resolve({ namespace: 'ns', name: 'hook', port })
    .catch((error: unknown) => (error instanceof Error ? error.message : error));
}

const PORTS = [{ name: 'https', port: 443 }];
const ROUTED = service({ type: 'ClusterIP', ports: PORTS });
const SLICE_PORTS = [{ name: 'https', port: 8443 }];
const ready = { addresses: ['10.0.0.2'], conditions: { ready: true } };
const unready = { addresses: ['10.0.0.1'], conditions: { ready: false } };

describe('resolves a Service', () => {
  test.each<[string, JsonObject[], unknown]>([
    ['is absent', [], 'service "hook" not found'],
    ['has no such port', [service({ type: 'ClusterIP', ports: [] })], 'no service port 443 found for service "hook"'],
    ['has no endpoints', [ROUTED], 'no endpoints available for service "hook"'],
    [
      'has no endpoint that is ready',
      [ROUTED, slice('a', { ports: SLICE_PORTS, endpoints: [unready] })],
      'no endpoints available for service "hook"',
    ],
    [
      'is reached at its first ready endpoint, at the endpoint’s port',
      [ROUTED, slice('a', { ports: SLICE_PORTS, endpoints: [unready, ready] })],
      { host: '10.0.0.2', port: 8443 },
    ],
    [
      'is reached by a slice that has the port',
      [
        ROUTED,
        slice('a', { ports: [{ name: 'other', port: 1 }], endpoints: [ready] }),
        slice('b', { ports: SLICE_PORTS, endpoints: [ready] }),
      ],
      { host: '10.0.0.2', port: 8443 },
    ],
    [
      'leads to another name',
      [service({ type: 'ExternalName', externalName: 'example.com' })],
      { host: 'example.com', port: 443 },
    ],
    ['is of an unknown type', [service({ type: 'Odd', ports: PORTS })], 'unsupported service type "Odd"'],
  ])('handles a Service that %s', async (_, objects, expected) => {
    expect(await resolved(objects)).toEqual(expected);
  });
});

describe('a Service with several endpoints', () => {
  const at = (address: string) => ({ addresses: [address], conditions: { ready: true } });
  const endpoints = [at('10.0.0.1'), unready, at('10.0.0.3')];
  const one = (draw: number): Promise<unknown> =>
    resolved([ROUTED, slice('a', { ports: SLICE_PORTS, endpoints })], { draws: [0, draw] });

  test.each([
    [0, '10.0.0.1'],
    [0.5, '10.0.0.3'],
    [0.99, '10.0.0.3'],
  ])('draws any ready endpoint: %d', async (draw, host) => {
    expect(await one(draw)).toEqual({ host, port: 8443 });
  });

  test("prefers the Service's first address family, with slices in random order", async () => {
    const dual = service({ type: 'ClusterIP', ports: PORTS, ipFamilies: ['IPv6', 'IPv4'] });
    const sliceOf = (name: string, addressType: string, address: string): JsonObject =>
      slice(name, { addressType, ports: SLICE_PORTS, endpoints: [at(address)] });
    const all = [
      dual,
      sliceOf('a', 'IPv4', '10.0.0.1'),
      sliceOf('b', 'IPv6', 'fd00::1'),
      sliceOf('c', 'IPv6', 'fd00::2'),
    ];
    expect(await resolved(all, { draws: [0, 0.9, 0.1] })).toEqual({ host: 'fd00::2', port: 8443 });
    expect(await resolved(all, { draws: [0, 0.1, 0.9] })).toEqual({ host: 'fd00::1', port: 8443 });
  });
});

describe('an endpoint that is a pod', () => {
  const pod = (
    spec: JsonObject,
    status: JsonObject = { podIPs: [{ ip: '10.0.0.2' }] },
    namespace = 'ns',
  ): JsonObject => ({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', namespace, uid: 'u1' },
    spec,
    status,
  });
  const endpoint = {
    ...ready,
    nodeName: 'n1',
    targetRef: { kind: 'Pod', namespace: 'ns', name: 'p', uid: 'u1' },
  };
  const direct = { host: '10.0.0.2', port: 8443 };
  const found = (more: JsonObject, ...pods: JsonObject[]): Promise<unknown> =>
    resolved([ROUTED, slice('a', { ports: SLICE_PORTS, endpoints: [{ ...endpoint, ...more }] }), ...pods]);
  const ON_N1 = pod({ nodeName: 'n1' });
  const ref = (more: JsonObject): JsonObject => ({ targetRef: { ...endpoint.targetRef, ...more } });

  test('is reached through the channel of its node', async () => {
    const via = { ...direct, via: { node: 'n1', podUid: 'u1' } };
    expect(await found({}, ON_N1)).toEqual(via);
    const { uid: _, ...withoutUid } = endpoint.targetRef;
    expect(await found({ targetRef: withoutUid }, ON_N1)).toEqual(via);
  });

  test.each<[string, JsonObject, JsonObject[]]>([
    ['its node has no channel', { nodeName: 'n2' }, [pod({ nodeName: 'n2' })]],
    ['the slice names another node', {}, [pod({ nodeName: 'n2' })]],
    ['the slice names no node', { nodeName: '' }, [ON_N1]],
    ['the pod has no node', {}, [pod({})]],
    ['the pod has another address', {}, [pod({ nodeName: 'n1' }, { podIPs: [{ ip: '10.0.0.3' }] })]],
    ['the pod has no address', {}, [pod({ nodeName: 'n1' }, {})]],
    ['the pod has another UID', ref({ uid: 'u2' }), [ON_N1]],
    [
      'the pod is in another namespace',
      ref({ namespace: 'other' }),
      [ON_N1, pod({ nodeName: 'n1' }, undefined, 'other')],
    ],
    ['the pod does not exist', {}, []],
    ['it refers to another kind', ref({ kind: 'Node' }), [ON_N1]],
    ['it has no reference', { targetRef: {} }, [ON_N1]],
  ])('is dialled directly if %s', async (_, more, pods) => {
    expect(await found(more, ...pods)).toEqual(direct);
  });

  const node = (name: string, labels: JsonObject, fields: JsonObject = {}): JsonObject => ({
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name, labels },
    spec: { podCIDRs: ['10.0.0.0/24'] },
    status: { addresses: [{ type: 'InternalIP', address: '172.18.0.2' }] },
    ...fields,
  });
  const SIMULATED = node('n2', { 'davit.dev/simulated': 'true' });
  const refused = (target: string): string =>
    `no connection to ${target}: its node "n2" is simulated, and no container runs on it; ` +
    'run the pod on a real node, or start the program yourself and name its host in a Service of type ExternalName';

  test.each<[string, JsonObject, JsonObject[], string]>([
    ['its pod is on it', { nodeName: 'n2' }, [pod({ nodeName: 'n2' })], 'pod "ns/p"'],
    ['its pod does not exist', { nodeName: 'n2' }, [], 'pod "ns/p"'],
    ['it names no pod', { nodeName: 'n2', targetRef: {} }, [], 'endpoint 10.0.0.2'],
    ['its address is in the range of the node', { nodeName: '', targetRef: {} }, [], 'endpoint 10.0.0.2'],
    ['it names another node but has an address in the node’s range', { targetRef: {} }, [], 'endpoint 10.0.0.2'],
    ['its address is the node’s', { nodeName: '', addresses: ['172.18.0.2'] }, [], 'pod "ns/p"'],
  ])('is never dialled on a simulated node if %s', async (_, more, pods, target) => {
    expect(await found(more, SIMULATED, ...pods)).toBe(refused(target));
  });

  test.each<[string, JsonObject, JsonObject[]]>([
    ['its pod is on a real node with the same range', { nodeName: 'n3' }, [node('n3', {}), pod({ nodeName: 'n3' })]],
    ['its address is outside the range', { addresses: ['10.0.1.2'], targetRef: {}, nodeName: '' }, []],
  ])('is dialled next to a simulated node if %s', async (_, more, pods) => {
    expect(await found(more, SIMULATED, ...pods)).toMatchObject({ port: 8443 });
  });

  test('is dialled after a check of only the simulated nodes, regardless of the number of others', async () => {
    const others = Array.from({ length: 50 }, (_, i) => node(`real-${i}`, {}));
    const far = node('n2', { 'davit.dev/simulated': 'true' }, { spec: { podCIDRs: ['10.0.9.0/24'] }, status: {} });
    const endpoints = [{ ...ready, targetRef: {} }];
    const storageOf = await stored([ROUTED, slice('a', { ports: SLICE_PORTS, endpoints }), far, ...others]);
    const read: number[] = [];
    const nodes = storageOf(NODES);
    const { list } = nodes;
    nodes.list = async (request) => {
      const page = await list.call(nodes, request);
      read.push(page.objects.length);
      return page;
    };
    for (let call = 0; call < 4; call++) expect(await resolved([], { storageOf })).toEqual(direct);
    expect(read).toEqual([1, 1, 1, 1]);
  });
});
