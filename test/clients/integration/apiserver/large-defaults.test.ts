import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { json, type Sent } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { DEFINITIONS } from './matrix.ts';

const BOXES = '/apis/large.example.com/v1/namespaces/default/boxes';
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };
const LARGE_DEFAULT = 'x'.repeat(90_000);
const text = { type: 'string' };

let api: Awaited<ReturnType<typeof inProcess>>;
beforeAll(async () => {
  api = await inProcess();
  await api.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'default' } } });
  await api.send({ method: 'POST', path: DEFINITIONS, body: definition() });
  await api.send({
    method: 'PATCH',
    path: `${DEFINITIONS}/boxes.large.example.com/status`,
    headers: MERGE_PATCH,
    body: {
      status: {
        acceptedNames: NAMES,
        storedVersions: ['v1'],
        conditions: ['NamesAccepted', 'Established'].map(condition),
      },
    },
  });
});
afterAll(() => api.close());

const NAMES = { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' };

function condition(type: string): Json {
  return { type, status: 'True', reason: 'Test', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

/** A definition whose field `late` has no default yet. */
function definition(): JsonObject {
  const many = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, { ...text, default: '' }])),
  };
  const of = (properties: JsonObject): JsonObject => ({ type: 'array', items: { type: 'object', properties } });
  const properties = {
    long: of({ a: { ...text, default: LARGE_DEFAULT } }),
    many: of({ a: { ...many, default: {} } }),
    late: of({ a: text }),
    held: of({ a: text }),
    more: of({ a: text, b: text }),
    last: of({ a: text }),
  };
  const made = aDefinition(
    { names: NAMES, group: 'large.example.com' },
    { schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } } },
  );
  return { ...made, metadata: { name: 'boxes.large.example.com' } };
}

const empties = (count: number): Json => Array.from({ length: count }, () => ({}));
const box = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'large.example.com/v1',
  kind: 'Box',
  metadata: { name },
  spec,
});

/** The status of the response, and its processor time in ms. */
async function costOf(
  sent: Sent,
): Promise<{ readonly code: unknown; readonly message: unknown; readonly millis: number }> {
  const before = process.threadCpuUsage();
  const { code = 200, message } = json(await api.send(sent));
  const { user, system } = process.threadCpuUsage(before);
  return { code, message, millis: (user + system) / 1000 };
}

/** Adds a default to field `a` of the items of a field. */
async function addDefault(field: string, value: Json): Promise<void> {
  const path = `/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/${field}/items/properties/a/default`;
  const body = JSON.stringify([{ op: 'add', path, value }]);
  await api.send({ method: 'PATCH', path: `${DEFINITIONS}/boxes.large.example.com`, headers: JSON_PATCH, body });
}

/** Nine kilobytes that would become 268 MB took nine seconds. */
const MOST_MILLIS = 500;

describe('a small object with large defaults', () => {
  test.each<[string, Sent]>([
    ['created', { method: 'POST', path: BOXES, body: box('a', { long: empties(3000) }) }],
    [
      'created without being stored',
      { method: 'POST', path: `${BOXES}?dryRun=All`, body: box('a', { long: empties(3000) }) },
    ],
    ['created with many defaults', { method: 'POST', path: BOXES, body: box('a', { many: empties(3000) }) }],
    [
      'applied',
      {
        method: 'PATCH',
        path: `${BOXES}/a?fieldManager=m`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: box('a', { long: empties(3000) }),
      },
    ],
  ])('is refused when it is %s', async (_, sent) => {
    const { code, message, millis } = await costOf(sent);
    expect([code, message]).toEqual([413, expect.stringContaining('by the defaults of the schema')]);
    expect(millis).toBeLessThan(MOST_MILLIS);
  });

  test('is refused when it is patched', async () => {
    await api.send({ method: 'POST', path: BOXES, body: box('patched', {}) });
    const body = [{ op: 'add', path: '/spec/long', value: empties(3000) }];
    const sent: Sent = { method: 'PATCH', path: `${BOXES}/patched`, headers: JSON_PATCH, body: JSON.stringify(body) };
    expect(await costOf(sent)).toMatchObject({ code: 413 });
  });

  test('is refused if it has more fields with its defaults than a body may have', async () => {
    const spec = { many: empties(960), late: empties(4000) };
    const { code, message } = await costOf({ method: 'POST', path: BOXES, body: box('a', spec) });
    expect([code, message]).toEqual([413, expect.stringContaining('limit is 50000 fields and items')]);
  });

  test('is accepted below the limits', async () => {
    const { code } = await costOf({
      method: 'POST',
      path: BOXES,
      body: box('small', { long: empties(10), many: empties(100) }),
    });
    expect(code).toBe(200);
  });

  test('is served as it is stored if the defaults came later, and can be deleted', async () => {
    await api.send({ method: 'POST', path: BOXES, body: box('late', { late: empties(3000) }) });
    await addDefault('late', LARGE_DEFAULT);
    expect(json(await api.send({ path: `${BOXES}/late` }))['spec']).toEqual({ late: empties(3000) });
    const { millis } = await costOf({ path: BOXES });
    expect(millis).toBeLessThan(MOST_MILLIS);
    await api.send({ method: 'POST', path: BOXES, body: box('early', { late: empties(1) }) });
    expect(json(await api.send({ path: `${BOXES}/early` }))['spec']).toEqual({ late: [{ a: LARGE_DEFAULT }] });
    expect(await costOf({ method: 'DELETE', path: `${BOXES}/late` })).toMatchObject({ code: 200 });
  });
});

describe('an object that new defaults have made too large', () => {
  const HELD = { finalizers: ['example.com/a', 'example.com/b'] };
  const path = `${BOXES}/held`;
  const body = { ...box('held', {}), metadata: { name: 'held', ...HELD } };
  const withoutFinalizer = async (): Promise<JsonObject> => {
    const live = json(await api.send({ path }));
    return { ...live, metadata: { ...(live['metadata'] as JsonObject), finalizers: ['example.com/b'] } };
  };

  describe.each<[string, JsonObject, string, Json]>([
    ['whose defaults exceed their budget', { held: empties(3000) }, 'held', LARGE_DEFAULT],
    [
      'that has too many fields with its defaults',
      { more: Array.from({ length: 17_000 }, () => ({ b: 'b' })) },
      'more',
      '',
    ],
  ])('the object %s', (_, spec, field, value) => {
    beforeAll(async () => {
      await api.send({ method: 'POST', path: BOXES, body: { ...body, spec } });
      await addDefault(field, value);
      await api.send({ method: 'DELETE', path });
    });

    test.each<[string, () => Promise<Sent>]>([
      [
        'a merge patch',
        async () => ({ method: 'PATCH', path, headers: MERGE_PATCH, body: '{"metadata":{"labels":{"a":"b"}}}' }),
      ],
      [
        'an apply',
        async () => ({
          method: 'PATCH',
          path: `${path}?fieldManager=m`,
          headers: { 'content-type': 'application/apply-patch+yaml' },
          body: { ...box('held', {}), metadata: { name: 'held', labels: { a: 'b' } } },
        }),
      ],
      [
        'a PUT',
        async () => ({
          method: 'PUT',
          path,
          body: { ...(await withoutFinalizer()), spec: { ...spec, late: empties(1) } },
        }),
      ],
    ])('cannot grow by %s', async (_name, sent) => {
      const { code, millis } = await costOf(await sent());
      expect(code).toBe(413);
      expect(millis).toBeLessThan(MOST_MILLIS);
    });

    test('loses its finalizers by patches', async () => {
      const patch = async (finalizers: Json): Promise<void> => {
        const patched = JSON.stringify({ metadata: { finalizers } });
        const { code, millis } = await costOf({ method: 'PATCH', path, headers: MERGE_PATCH, body: patched });
        expect(code).toBe(200);
        expect(millis).toBeLessThan(2 * MOST_MILLIS);
      };
      await patch(['example.com/b']);
      await patch(null);
      expect(await costOf({ path })).toMatchObject({ code: 404 });
    });
  });

  test('loses its finalizer by a PUT', async () => {
    await api.send({ method: 'POST', path: BOXES, body: { ...body, spec: { last: empties(3000) } } });
    await addDefault('last', LARGE_DEFAULT);
    await api.send({ method: 'DELETE', path });
    expect(await costOf({ method: 'PUT', path, body: await withoutFinalizer() })).toMatchObject({ code: 200 });
    expect((json(await api.send({ path }))['metadata'] as JsonObject)['finalizers']).toEqual(['example.com/b']);
  });
});
