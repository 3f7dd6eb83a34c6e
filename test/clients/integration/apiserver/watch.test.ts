import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { events, type WatchEvent } from './events.ts';
import { json } from './front-door.ts';
import { metadataOf, versionOf } from './kinds.ts';
import { describeMatrix, MERGE } from './matrix.ts';
import { collection, configMap, shown } from './watched.ts';

describeMatrix('watches', (api) => {
  test.each(['', '/a'])('supports the old form, for a collection or%s for one object', async (name) => {
    const { ok, door, namespace } = api();
    const ns = await namespace();
    const path = `/api/v1/namespaces/${ns}/configmaps`;
    const from = versionOf(await ok('POST', path, configMap('a')));
    if (name !== '') await ok('POST', path, configMap('other'));
    const old = `/api/v1/watch/namespaces/${ns}/configmaps${name}`;
    expect(shown(await events(await door.stream({ path: old }), 1))).toEqual(['ADDED a']);
    await ok('PATCH', `${path}/a`, { data: { x: 'y' } }, MERGE);
    const resumed = await door.stream({ path: `${old}?resourceVersion=${from}` });
    expect(shown(await events(resumed, 1))).toEqual(['MODIFIED a']);
  });

  test('sends ADDED and DELETED for objects that start and stop matching', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    const from = versionOf(await ok('POST', path, configMap('x')));
    const stream = await door.stream({ path: `${path}?watch=1&resourceVersion=${from}&labelSelector=on` });
    for (const labels of [{ on: '1' }, { on: '2' }, { on: null }, { on: '3' }]) {
      await ok('PATCH', `${path}/x`, { metadata: { labels } }, MERGE);
    }
    await ok('DELETE', `${path}/x`);
    const found = await events(stream, 5);
    expect(found.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED', 'DELETED']);
    const left = metadataOf((found[2] as WatchEvent).object);
    expect(left['labels']).toEqual({ on: '2' });
    expect(Number(left['resourceVersion'])).toBeGreaterThan(Number(versionOf((found[1] as WatchEvent).object)));
  });

  test('starts with the current state, and marks the end of it', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    for (const name of ['a', 'b']) await ok('POST', path, configMap(name));
    const options = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const found = await events(await door.stream({ path: `${path}?watch=1&${options}` }), 3);
    expect(shown(found)).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK']);
    const bookmark = (found[2] as WatchEvent).object;
    expect(bookmark).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
    expect(metadataOf(bookmark)['annotations']).toEqual({ 'k8s.io/initial-events-end': 'true' });
    expect(versionOf(bookmark)).toBe(versionOf(await ok('GET', path)));
  });

  test('sends rows for a Table, with columns only once', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    for (const name of ['a', 'b']) await ok('POST', path, configMap(name));
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const found = await events(await door.stream({ path: `${path}?watch=1`, headers }), 2);
    expect(found.map(({ object }) => object['columnDefinitions'])).toEqual([expect.any(Array), null]);
    expect(found.map(({ object }) => (object['rows'] as JsonObject[])[0]?.['cells'])).toEqual([
      ['a', 0, expect.any(String)],
      ['b', 0, expect.any(String)],
    ]);
  });

  test('sends a row without an object as the bookmark of a Table, except at the end of the initial events', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    await ok('POST', path, configMap('a'));
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const initial =
      'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&includeObject=None';
    const [first, mark] = await events(await door.stream({ path: `${path}?watch=1&${initial}`, headers }), 2);
    expect(first?.object['rows']).toEqual([{ cells: ['a', 0, expect.any(String)], object: null }]);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const object = { kind: 'PartialObjectMetadata', metadata: { annotations } };
    expect(mark?.object).toMatchObject({ columnDefinitions: null, rows: [{ cells: ['', 0, '<unknown>'], object }] });
  });

  test('sends only metadata on demand', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    await ok('POST', path, { ...configMap('a'), data: { a: 'b' } });
    const headers = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
    const [event] = await events(await door.stream({ path: `${path}?watch=1`, headers }), 1);
    expect(event?.object).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
    expect(event?.object['data']).toBeUndefined();
  });

  test("sends the object's state before its last finalizer was removed", async () => {
    const { ok, door } = api();
    const path = await collection(api());
    const held = configMap('held');
    const from = versionOf(await ok('POST', path, { ...held, metadata: { name: 'held', finalizers: ['a.io/hold'] } }));
    await ok('DELETE', `${path}/held`);
    const freed = await ok('PATCH', `${path}/held`, { metadata: { finalizers: null } }, MERGE);
    expect(metadataOf(freed)['finalizers']).toBeUndefined();
    const found = await events(await door.stream({ path: `${path}?watch=1&resourceVersion=${from}` }), 2);
    expect(shown(found)).toEqual(['MODIFIED held', 'DELETED held']);
    expect(found.map(({ object }) => metadataOf(object)['finalizers'])).toEqual([['a.io/hold'], ['a.io/hold']]);
  });

  test('sends the deletion mark of a pod without grace, and then its deletion', async () => {
    const { ok, door, namespace } = api();
    const within = `/api/v1/namespaces/${await namespace()}`;
    const spec = { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'i' }] };
    await ok('POST', `${within}/serviceaccounts`, { metadata: { name: 'default' } });
    const from = versionOf(await ok('POST', `${within}/pods`, { metadata: { name: 'p' }, spec }));
    await ok('DELETE', `${within}/pods/p`);
    const found = await events(await door.stream({ path: `${within}/pods?watch=1&resourceVersion=${from}` }), 2);
    expect(shown(found)).toEqual(['MODIFIED p', 'DELETED p']);
    expect(found.map(({ object }) => metadataOf(object)['deletionGracePeriodSeconds'])).toEqual([0, 0]);
  });

  test('ends as a list after the first event', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    await ok('POST', path, configMap('any'));
    const headers = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
    expect(await events(await door.stream({ path: `${path}?watch=1`, headers }))).toEqual([]);
  });

  test('follows one object by its name', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    const from = versionOf(await ok('GET', path));
    const query = `watch=1&resourceVersion=${from}&fieldSelector=metadata.name%3Db`;
    const stream = await door.stream({ path: `${path}?${query}` });
    for (const name of ['a', 'b']) await ok('POST', path, configMap(name));
    await ok('DELETE', `${path}/a`);
    await ok('DELETE', `${path}/b`);
    expect(shown(await events(stream, 2))).toEqual(['ADDED b', 'DELETED b']);
  });

  test.each([
    ['resourceVersion=abc', 500],
    ['fieldSelector=bad.field%3Dx', 400],
    ['sendInitialEvents=true', 422],
    ['resourceVersionMatch=Exact', 422],
    ['includeObject=x', 400],
  ])('refuses %s with %i', async (options, code) => {
    const path = await collection(api());
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    expect(json(await api().send('GET', `${path}?watch=1&${options}`, undefined, headers))).toMatchObject({ code });
  });
});
