import { expect, test } from 'vitest';
import { typedObject } from '#lib/api/typed.ts';
import { API_SERVICES } from '#lib/api/types/resources.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ByteBudget } from '#lib/storage/cache/budget.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { RECENT } from '#lib/storage/lookup.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { ReadAt, Storage } from '#lib/storage/storage.ts';
import { remoteService, remoteServices } from './remote-services.ts';

const apiService = (spec: JsonObject, status: JsonObject = {}) =>
  typedObject(API_SERVICES, {
    metadata: { name: `${String(spec['version'])}.${String(spec['group'])}` },
    spec: { groupPriorityMinimum: 1, versionPriority: 2, ...spec },
    status,
  });
const service = { namespace: 'ns', name: 'api', port: 8443 };
const REMOTE = { group: 'wardle.example.com', version: 'v1', service };

test('reads the server of an APIService', () => {
  const caBundle = Buffer.from('CA').toString('base64');
  const conditions = [{ type: 'Available', status: 'True', lastTransitionTime: null }];
  expect(remoteService(apiService({ ...REMOTE, caBundle }, { conditions }))).toEqual({
    name: 'v1.wardle.example.com',
    group: 'wardle.example.com',
    version: 'v1',
    service,
    caBundle: 'CA',
    insecureSkipTLSVerify: false,
    isAvailable: true,
    groupPriorityMinimum: 1,
    versionPriority: 2,
  });
});

test.each<[string, JsonObject]>([
  ['without a Service', { group: 'wardle.example.com', version: 'v1' }],
  ['of the core group', { group: '', version: 'v1', service }],
  ['of a built-in group version', { group: 'apps', version: 'v1', service }],
])('finds no server for an APIService %s', (_, spec) => {
  expect(remoteService(apiService(spec))).toBeUndefined();
});

test('allows a server for a new version of a built-in group', () => {
  expect(remoteService(apiService({ group: 'apps', version: 'v9', service }))).toMatchObject({ isAvailable: false });
});

test('costs one read per request, at most a second old, and none for a built-in group version', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock, retention: 3_600_000 });
  const cache = new ResourceCache({
    sequence: store.sequence('control'),
    clock,
    exclusive: true,
    budget: new ByteBudget(1_000_000, clock),
    summarize: summarizeBody,
  });
  const key = 'main/apiregistration.k8s.io/apiservices//v1.wardle.example.com';
  const summary = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };
  await cache.mutate(key, () => ({
    action: 'put',
    body: encodeObject(apiService(REMOTE)),
    summary,
    result: undefined,
  }));
  const reads: [string, ReadAt][] = [];
  const counting: Pick<Storage, 'get' | 'list'> = {
    get: (of, at) => {
      reads.push([of, at]);
      return cache.get(of, at);
    },
    list: (request) => cache.list(request),
  };
  const { find, all } = remoteServices({
    cluster: 'main',
    storageOf: () => Object.assign(Object.create(cache), counting),
  });
  expect(await find({ group: 'apps', version: 'v1' })).toBeUndefined();
  expect(await find({ group: '', version: 'v1' })).toBeUndefined();
  expect(reads).toEqual([]);
  const found = await find(REMOTE);
  expect(reads).toEqual([[key, RECENT]]);
  expect(found).toMatchObject({ service });
  expect((await all())[0]).toBe(found);
});
