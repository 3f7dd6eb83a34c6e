import { describe, expect, test } from 'vitest';
import { encodeObject } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { ByteBudget } from '#lib/storage/cache/budget.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { Storage } from '#lib/storage/storage.ts';
import { summarizeBody } from '#lib/registry/summarize-body.ts';
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

async function resolved(objects: readonly JsonObject[], port = 443): Promise<unknown> {
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
    const isSlice = object['kind'] === 'EndpointSlice';
    const resource = isSlice ? 'endpointslices' : 'services';
    const { name } = object['metadata'] as { name: string };
    const key = `main/${isSlice ? 'discovery.k8s.io' : ''}/${resource}/ns/${name}`;
    const summary = { labels: labelsOf(object), fields: {}, generation: 0, ownerReferences: [] };
    await storageOf({ resource }).mutate(key, () => ({
      action: 'put',
      body: encodeObject(object),
      summary,
      result: undefined,
    }));
  }
  return endpointSlices({ cluster: 'main', storageOf })
    .resolve({ namespace: 'ns', name: 'hook', port })
    .catch((error: unknown) => (error instanceof Error ? error.message : error));
}

const PORTS = [{ name: 'https', port: 443 }];
const ROUTED = service({ type: 'ClusterIP', ports: PORTS });
const SLICE_PORTS = [{ name: 'https', port: 8443 }];
const ready = { addresses: ['10.0.0.2'], conditions: { ready: true } };
const unready = { addresses: ['10.0.0.1'], conditions: { ready: false } };

describe('a Service', () => {
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
  ])('%s', async (_, objects, expected) => {
    expect(await resolved(objects)).toEqual(expected);
  });
});
