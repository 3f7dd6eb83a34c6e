import { describe, expect, test } from 'vitest';
import { decodeMessage } from '#lib/api/codec/protobuf/decode.ts';
import { decodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { events, frames, type WatchEvent } from './events.ts';
import { json } from './front-door.ts';
import { KINDS, metadataOf, versionOf } from './kinds.ts';
import { type Api, describeEveryDoor, MERGE } from './matrix.ts';

const shown = (found: readonly WatchEvent[]): string[] =>
  found.map(({ type, object }) => `${type} ${String(metadataOf(object)['name'] ?? '')}`.trim());

const configMap = (name: string, labels: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
});

async function collection({ namespace }: Api): Promise<string> {
  return `/api/v1/namespaces/${await namespace()}/configmaps`;
}

describeEveryDoor('watches', (api) => {
  describe.each(KINDS)('$title', ({ collection: at, object, change }) => {
    test('tells every change behind a version, once and in order', async () => {
      const { ok, door, namespace } = api();
      const path = at(await namespace());
      const from = versionOf(await ok('GET', path));
      await ok('POST', path, object('watched', 'one'));
      const stream = await door.stream({ path: `${path}?watch=1&resourceVersion=${from}` });
      await ok('PATCH', `${path}/watched`, change('two'), MERGE);
      const gone = await ok('DELETE', `${path}/watched`);
      const found = await events(stream, 3);
      expect(shown(found)).toEqual(['ADDED watched', 'MODIFIED watched', 'DELETED watched']);
      const versions = found.map((event) => Number(versionOf(event.object)));
      expect(versions).toEqual([...versions].sort((a, b) => a - b));
      expect(gone).toBeDefined();
      const resumed = await door.stream({ path: `${path}?watch=1&resourceVersion=${versions[1]}` });
      expect(shown(await events(resumed, 1))).toEqual(['DELETED watched']);
    });
  });

  test('tells each of many watchers every change of a burst, once and in order', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    const from = versionOf(await ok('POST', path, configMap('busy')));
    const at = `${path}?watch=1&resourceVersion=${from}`;
    const paths = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? at : `${at}&fieldSelector=metadata.name=busy`));
    const streams = await Promise.all(paths.map((one) => door.stream({ path: one })));
    const seen = streams.map((stream) => events(stream, 60));
    const written: Promise<JsonObject>[] = [];
    for (let i = 0; i < 60; i++) {
      written.push(ok('PATCH', `${path}/busy`, { data: { turn: String(i) } }, MERGE));
      if (i % 7 === 0) await written.at(-1);
    }
    const versions = (await Promise.all(written)).map((answer) => Number(versionOf(answer)));
    const told = [...versions].sort((a, b) => a - b);
    for (const found of await Promise.all(seen)) {
      expect(found.map(({ object }) => Number(versionOf(object)))).toEqual(told);
    }
  });

  test.each(['', '/a'])('in the old form, of a collection or%s of one object', async (name) => {
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

  test('shows what begins and ceases to match as ADDED and DELETED', async () => {
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

  test('begins with the present state, and marks its end', async () => {
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

  test.concurrent.each([
    ['timeoutSeconds=1', []],
    ['timeoutSeconds=1&allowWatchBookmarks=true', ['BOOKMARK']],
    ['timeoutSeconds=-1', []],
  ])('ends by itself with %s', async (options, expected) => {
    const { ok, door } = api();
    const path = await collection(api());
    const from = versionOf(await ok('GET', path));
    const stream = await door.stream({ path: `${path}?watch=1&resourceVersion=${from}&${options}` });
    expect(stream.status).toBe(200);
    expect((await events(stream)).map(({ type }) => type)).toEqual(expected);
  });

  test.concurrent('says within the stream that a version is still to come', async () => {
    const path = await collection(api());
    const [event] = await events(await api().door.stream({ path: `${path}?watch=1&resourceVersion=99999999` }), 1);
    expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 504 } });
  });

  test('sends rows for a Table, with columns once', async () => {
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

  test('sends a row without an object as the bookmark of a Table, but for the mark that initial events end', async () => {
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

  test('speaks protobuf in frames', async () => {
    const { ok, door } = api();
    const path = await collection(api());
    const made = await ok('POST', path, { ...configMap('a'), data: { a: 'b' } });
    const headers = { accept: 'application/vnd.kubernetes.protobuf' };
    const stream = await door.stream({ path: `${path}?watch=1`, headers });
    expect(stream.headers['content-type']).toBe('application/vnd.kubernetes.protobuf;stream=watch');
    const [frame] = await frames(stream, 1);
    const { type, object } = decodeEvent(frame as Buffer);
    expect(type).toBe('ADDED');
    const { apiVersion, kind, raw } = decodeUnknown(object);
    const read = decodeMessage('v1', 'ConfigMap', raw);
    expect({ apiVersion, kind, name: metadataOf(read)['name'], data: read['data'] }).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'a',
      data: { a: 'b' },
    });
    expect(versionOf(read)).toBe(versionOf(made));
  });

  test('tells how an object was before its last finalizer went', async () => {
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

  test('tells that a pod without grace is marked, and then that it is gone', async () => {
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

  test('as lists ends with the first event', async () => {
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

/** A `metav1.WatchEvent`: the type is field 1, the object in its RawExtension is field 2. */
function decodeEvent(frame: Buffer): { type: string; object: Uint8Array } {
  const [, length = 0] = frame;
  const type = frame.subarray(2, 2 + length).toString();
  const extension = delimited(frame, 2 + length);
  return { type, object: delimited(extension, 0) };
}

function delimited(bytes: Buffer, start: number): Buffer {
  let [at, length, shift] = [start + 1, 0, 0];
  for (let byte = 0x80; byte >= 0x80; shift += 7) {
    byte = bytes[at++] ?? 0;
    length |= (byte & 0x7f) << shift;
  }
  return bytes.subarray(at, at + length);
}
