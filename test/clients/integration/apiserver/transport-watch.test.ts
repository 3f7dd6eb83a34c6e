import { describe, expect, test } from 'vitest';
import { decodeMessage } from '#lib/api/codec/protobuf/decode.ts';
import { decodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { events, frames } from './events.ts';
import { KINDS, metadataOf, versionOf } from './kinds.ts';
import { describeEveryDoor, MERGE } from './matrix.ts';
import { collection, configMap, shown } from './watched.ts';

/** Differences between front doors in streamed responses. Other suites run behind two doors. */
describeEveryDoor('the transport of watches', (api) => {
  describe.each(KINDS)('$title', ({ collection: at, object, change }) => {
    test('sends every change after a version, once and in order', async () => {
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

  test('sends each of many watchers every change of a burst, once and in order', async () => {
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

  test.concurrent('reports within the stream that the version of initial events is still to come', async () => {
    const path = await collection(api());
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=99999999';
    const [event] = await events(await api().door.stream({ path: `${path}?${query}` }), 1);
    expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 504 } });
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
});

/** A `metav1.WatchEvent`: field 1 is the type, and field 2 is a RawExtension with the object. */
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
