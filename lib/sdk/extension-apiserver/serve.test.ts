import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { isObject, type Json } from '#lib/machinery/json-value.ts';
import { aBookshop, BOOKS, type Book, book, GROUP, MERGE } from './bookshop.conformance.ts';
import { type AggregatedResource, defineAggregatedApi } from './define-aggregated-api.ts';
import type { ObjectEvent } from './storage.ts';

let shop: ReturnType<typeof aBookshop>;
beforeEach(() => void (shop = aBookshop()));

test('generates a name from generateName, and sets a uid and a time', async () => {
  const { status, body } = await shop.ask('POST', BOOKS, {
    body: { metadata: { generateName: 'b-' }, spec: { pages: 1 } },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    kind: 'Book',
    metadata: { name: expect.stringMatching(/^b-[a-z0-9]{5}$/), namespace: 'default', uid: expect.any(String) },
  });
});

test.each<[string, Json, number, string]>([
  ['with another kind', { kind: 'Other', ...book('a', 1) }, 400, 'Kind=Other in the body does not match'],
  ['with another namespace', book('a', 1, { namespace: 'x' }), 400, 'does not match the namespace sent on the request'],
  ['without a name', { spec: { pages: 1 } }, 400, 'name or generateName is required'],
  ['that is not a JSON object', [1], 400, 'the body is no object'],
  ['whose name is not a path segment', book('a/b', 1), 422, 'metadata.name'],
  ['that violates its schema', book('a', 0), 422, 'spec.pages'],
])('rejects an object %s', async (_, body, status, message) => {
  expect(await shop.ask('POST', BOOKS, { body })).toMatchObject({
    status,
    body: { message: expect.stringContaining(message) },
  });
  expect(shop.kept.size).toBe(0);
});

test('validates objects with a zod type, applies its defaults, and keeps their metadata', async () => {
  const schema = z.object({ spec: z.object({ pages: z.int().min(1), title: z.string().default('untitled') }) });
  const api = shop.apiOf({ schema });
  expect(await shop.ask('POST', BOOKS, { api, body: book('a', 0) })).toMatchObject({
    status: 422,
    body: { reason: 'Invalid', message: expect.stringContaining('spec.pages') },
  });
  expect(await shop.ask('POST', BOOKS, { api, body: book('a', 1, { labels: { x: 'y' } }) })).toMatchObject({
    status: 201,
    body: { metadata: { labels: { x: 'y' } }, spec: { pages: 1, title: 'untitled' } },
  });
  expect(api.declaration.resources[0]?.schema).toMatchObject({ properties: { spec: { required: ['pages'] } } });
});

test('supports JSON patch and merge patch, and rejects a strategic merge patch', async () => {
  await shop.ask('POST', BOOKS, { body: book('a', 1) });
  const patch = (type: string, body: Json) => shop.ask('PATCH', `${BOOKS}/a`, { type, body });
  const json = await patch('application/json-patch+json', [{ op: 'replace', path: '/spec/pages', value: 2 }]);
  expect(json.body).toMatchObject({ spec: { pages: 2 }, metadata: { resourceVersion: '2' } });
  expect((await patch(MERGE, { spec: { title: 'T' } })).body).toMatchObject({ spec: { pages: 2, title: 'T' } });
  expect((await patch(MERGE, { spec: { pages: 0 } })).status).toBe(422);
  expect((await patch(MERGE, { metadata: { name: 'b' } })).status).toBe(400);
  expect((await patch(MERGE, [1])).status).toBe(400);
  expect(await patch('application/strategic-merge-patch+json', {})).toMatchObject({
    status: 415,
    body: {
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    },
  });
});

test('retries a patch after a concurrent write, unless it has a version', async () => {
  await shop.ask('POST', BOOKS, { body: book('a', 1) });
  let others = 2;
  const api = shop.apiOf({
    storage: {
      ...shop.storage,
      get: async (name) => {
        const read = shop.kept.get(name);
        if (others-- > 0 && read !== undefined) shop.put({ ...read, spec: { pages: 10 + others } });
        return read;
      },
    },
  });
  const patched = await shop.ask('PATCH', `${BOOKS}/a`, { api, type: MERGE, body: { spec: { title: 'T' } } });
  expect(patched.body).toMatchObject({ spec: { pages: 10, title: 'T' } });
  const old = { metadata: { resourceVersion: '1' }, spec: { title: 'U' } };
  expect((await shop.ask('PATCH', `${BOOKS}/a`, { type: MERGE, body: old })).body).toMatchObject({
    reason: 'Conflict',
  });
});

test('keeps the uid and times of a replaced object', async () => {
  const { body: made } = await shop.ask('POST', BOOKS, { body: book('a', 1) });
  const other = book('a', 3, { creationTimestamp: '2001-01-01T00:00:00Z', deletionTimestamp: '2001-01-01T00:00:00Z' });
  const { body } = await shop.ask('PUT', `${BOOKS}/a`, { body: other });
  const { uid, creationTimestamp } = isObject(made['metadata']) ? made['metadata'] : {};
  expect(body).toMatchObject({ spec: { pages: 3 }, metadata: { uid, creationTimestamp } });
  expect(body['metadata']).not.toHaveProperty('deletionTimestamp');
});

test('deletes an object only if its preconditions hold', async () => {
  const { body } = await shop.ask('POST', BOOKS, { body: book('a', 1) });
  const { uid } = isObject(body['metadata']) ? body['metadata'] : {};
  const wrong = await shop.ask('DELETE', `${BOOKS}/a`, { body: { preconditions: { uid: 'other' } } });
  expect(wrong).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('UID in precondition: other') },
  });
  const old = await shop.ask('DELETE', `${BOOKS}/a`, { body: { preconditions: { resourceVersion: '9' } } });
  expect(old).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('ResourceVersion in precondition: 9') },
  });
  await shop.ask('DELETE', `${BOOKS}/a`, { body: { dryRun: ['All'] } });
  expect(shop.kept.size).toBe(1);
  await shop.ask('DELETE', `${BOOKS}/a`, { body: { preconditions: { uid: uid ?? null } } });
  expect(shop.kept.size).toBe(0);
});

test.each([
  ['fieldSelector=metadata.name%3Db', ['b']],
  ['fieldSelector=metadata.name!%3Db,metadata.namespace%3Ddefault', ['a', 'c']],
  ['labelSelector=x', ['c']],
])('lists the objects selected by %s', async (query, names) => {
  for (const name of ['a', 'b', 'c'])
    await shop.ask('POST', BOOKS, { body: book(name, 1, name === 'c' ? { labels: { x: 'y' } } : {}) });
  const { items } = (await shop.ask('GET', `${BOOKS}?${query}`)).body;
  expect(items).toMatchObject(names.map((name) => ({ metadata: { name } })));
  expect(items).toHaveLength(names.length);
});

test.each(['fieldSelector=spec.pages%3D1', 'labelSelector=%3D%3D'])('rejects the selector %s', async (query) => {
  expect((await shop.ask('GET', `${BOOKS}?${query}`)).status).toBe(400);
});

test('omits verbs that the storage does not support', async () => {
  const api = shop.apiOf({ storage: { get: async (name) => shop.kept.get(name) } });
  expect(api.declaration.resources[0]?.verbs).toEqual(['get']);
  for (const [method, path] of [
    ['GET', BOOKS],
    ['POST', BOOKS],
    ['DELETE', `${BOOKS}/a`],
    ['DELETE', BOOKS],
  ] as const)
    expect((await shop.ask(method, path, { api, body: {} })).status).toBe(405);
});

test('returns an internal error for an error of the author, and only logs its reason', async () => {
  const api = shop.apiOf({ storage: { get: () => Promise.reject(new Error('password hunter2 is wrong')) } });
  const { status, body } = await shop.ask('GET', `${BOOKS}/a`, { api });
  expect([status, JSON.stringify(body).includes('hunter2')]).toEqual([500, false]);
  expect(shop.logged).toEqual(['password hunter2 is wrong']);
});

test('shows an object even if one of its columns fails', async () => {
  await shop.ask('POST', BOOKS, { body: book('a', 1) });
  const value = (): string => {
    throw new Error('odd');
  };
  const api = shop.apiOf({ columns: [{ name: 'Odd', type: 'string', value }] });
  const { body } = await shop.ask('GET', BOOKS, { api, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  expect(body['rows']).toMatchObject([{ cells: ['a', '<unknown>', expect.any(String)] }]);
});

test('starts a watch with the existing objects, and marks their end if the client requests it', async () => {
  await shop.ask('POST', BOOKS, { body: book('a', 1) });
  shop.events = [{ type: 'BOOKMARK', resourceVersion: '7' }];
  const query = 'watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const { lines } = await shop.ask('GET', `${BOOKS}?${query}`);
  const end = { annotations: { 'k8s.io/initial-events-end': 'true' }, resourceVersion: '1' };
  expect(lines).toMatchObject([
    { type: 'ADDED', object: { metadata: { name: 'a' } } },
    { type: 'BOOKMARK', object: { kind: 'Book', metadata: end } },
    { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } },
  ]);
});

test('starts a watch without initial events and version with later changes', async () => {
  await shop.ask('POST', BOOKS, { body: book('a', 1) });
  const versions: string[] = [];
  const watch = (from: string) => {
    versions.push(from);
    return (async function* (): AsyncGenerator<ObjectEvent<Book>> {})();
  };
  const api = shop.apiOf({ storage: { ...shop.storage, watch } });
  const query = 'watch=true&sendInitialEvents=false&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  for (const of of ['', '&resourceVersion=0', '&resourceVersion=7'])
    expect((await shop.ask('GET', `${BOOKS}?${query}${of}`, { api })).lines).toEqual([]);
  expect(versions).toEqual(['1', '1', '7']);
});

test('ends a watch at its timeout, even if the author sends no event and ignores the signal', async () => {
  const api = shop.apiOf({
    storage: {
      ...shop.storage,
      async *watch(): AsyncGenerator<ObjectEvent<Book>> {
        await new Promise(() => undefined);
        yield* shop.events;
      },
    },
  });
  const asked = shop.ask('GET', `${BOOKS}?watch=true&resourceVersion=1&timeoutSeconds=5`, { api });
  shop.clock.advance(5_000);
  expect((await asked).lines).toEqual([]);
});

test.each([
  'http_requests_total',
  'queue.length',
  'sqs.amazonaws.com|depth',
  'p99 (ms)',
  'Größe',
  'watch',
  'jobs.batch',
])('accepts a resource and a subresource named %s', async (name) => {
  const subresources = { [name]: { handle: async () => ({ answer: 'here' }) } };
  const api = shop.apiOf({ name, subresources });
  const path = `/apis/${GROUP}/v1/namespaces/default/${encodeURIComponent(name)}`;
  shop.put({ apiVersion: `${GROUP}/v1`, kind: 'Book', metadata: { name: 'a' }, spec: { pages: 1 } });
  expect((await shop.ask('GET', path, { api })).body).toMatchObject({ items: [{ metadata: { name: 'a' } }] });
  expect((await shop.ask('GET', `${path}/*/${encodeURIComponent(name)}`, { api })).body).toEqual({ answer: 'here' });
});

test.each<[string, object, string]>([
  ['a group without a dot', { group: 'books' }, 'group'],
  ['a name that is not a DNS label', { name: 'Books' }, 'name'],
  ['no resource', { resources: [] }, 'resources'],
  ['a priority of zero', { versionPriority: 0 }, 'versionPriority'],
])('rejects a declaration with %s', (_, wrong, field) => {
  const right = {
    name: 'books',
    group: GROUP,
    version: 'v1',
    resources: [{ name: 'books', kind: 'Book', storage: {} }],
  };
  expect(() => defineAggregatedApi({ ...right, ...wrong })).toThrow(
    new RegExp(`aggregated API declaration: .*${field}`),
  );
});

test.each<[string, Partial<AggregatedResource<Book>>, string]>([
  ['a/b', {}, 'must be a segment of a path'],
  ['50%', {}, 'must be a segment of a path'],
  ['..', {}, 'must be a segment of a path'],
  ['', {}, 'must be a segment of a path'],
  ['a\nb', {}, 'must be a segment of a path'],
  ['status', {}, 'cannot be reached: /namespaces/NAME/status is the status of the namespace'],
  ['namespaces', { namespaced: false }, 'must be namespaced to be reached'],
  ['watch', { namespaced: false }, 'must be namespaced to be reached: /watch/NAME is a watch of NAME'],
])('reports the reason why a resource cannot be named %j', (name, more, why) => {
  expect(() => shop.apiOf({ name, ...more })).toThrow(`aggregated API declaration: resources.0.name: ${why}`);
});

test('reports the reason why a subresource cannot have a name', () => {
  const subresources = { 'a/b': { handle: async () => ({}) } };
  expect(() => shop.apiOf({ subresources })).toThrow('resources.0.subresources.0.name: must be a segment of a path');
});

test('rejects two resources with the same name', () => {
  const { group, version } = shop.apiOf().declaration;
  const one = { name: 'books', kind: 'Book', storage: {} };
  expect(() => defineAggregatedApi({ name: 'books', group, version, resources: [one, one] })).toThrow(
    'resources: must have different names',
  );
});
