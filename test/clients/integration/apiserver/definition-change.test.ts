import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { events } from './events.ts';
import { versionOf } from './kinds.ts';
import { type Api, DEFINITIONS, define, describeMatrix, MERGE } from './matrix.ts';

const NAMES = { singular: 'gauge', kind: 'Gauge', listKind: 'GaugeList' };

/** A new kind, an object of it, and a watch that starts after that object. */
async function watched(api: Api, plural: string) {
  const { ok, door, namespace } = api;
  const names = { ...NAMES, plural };
  const definition = aDefinition({ group: `${plural}.example`, names });
  await define(api, { ...definition, metadata: { name: `${plural}.${plural}.example` } });
  const path = `/apis/${plural}.example/v1/namespaces/${await namespace()}/${plural}`;
  const object = { apiVersion: `${plural}.example/v1`, kind: 'Gauge', metadata: { name: 'one' } };
  const from = versionOf(await ok('POST', path, object));
  const watch = () => door.stream({ path: `${path}?watch=1&resourceVersion=${from}` });
  const change = (body: JsonObject) =>
    ok('PATCH', `${DEFINITIONS}/${plural}.${plural}.example`, body, MERGE).then(() => {});
  return { path, watch, change, definition };
}

const LABELS = { metadata: { labels: { color: 'blue' } } };

describeMatrix('watches of a kind whose definition changes', (api) => {
  test('end if the spec changes, and can be opened again', async () => {
    const { path, watch, change, definition } = await watched(api(), 'spans');
    const stream = await watch();
    await api().ok('PATCH', `${path}/one`, LABELS, MERGE);
    const [version] = (definition['spec'] as { versions: JsonObject[] }).versions;
    const found = events(stream);
    await change({ spec: { versions: [version ?? {}, { ...version, name: 'v2', storage: false }] } });
    expect((await found).map(({ type }) => type)).toEqual(['MODIFIED']);
    expect((await events(await watch(), 1)).map(({ type }) => type)).toEqual(['MODIFIED']);
  });

  test('continue if only the labels of the definition change', async () => {
    const { path, watch, change } = await watched(api(), 'gauges');
    const stream = await watch();
    await change(LABELS);
    await api().ok('PATCH', `${path}/one`, LABELS, MERGE);
    expect((await events(stream, 1)).map(({ type }) => type)).toEqual(['MODIFIED']);
  });

  test('end when the definition is deleted', async () => {
    const { watch, change } = await watched(api(), 'meters');
    const stream = await watch();
    await api().ok('DELETE', `${DEFINITIONS}/meters.meters.example`);
    const found = events(stream);
    await change({ metadata: { finalizers: null } });
    expect(await found).toEqual([]);
  });
});
