import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import { requestInfo } from '#lib/endpoints/request-info.ts';
import { alreadyExists, conflict } from '#lib/machinery/errors.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { defineAggregatedApi, defineAggregatedResource, type AggregatedResource } from './define-aggregated-api.ts';
import { serveAggregatedApi } from './serve.ts';
import type { ObjectEvent, ResourceStorage } from './storage.ts';

interface Book extends KubernetesObject {
  readonly spec: { readonly pages: number; readonly title?: string };
}

const GROUP = 'books.example.com';
const BOOKS = `/apis/${GROUP}/v1/namespaces/default/books`;
const RESOURCE = { group: GROUP, resource: 'books' };
const MERGE = 'application/merge-patch+json';

let kept: Map<string, Book>;
let version: number;
let events: ObjectEvent<Book>[];
let logged: string[];
let clock: ManualClock;
beforeEach(() => {
  [kept, version, events, logged] = [new Map(), 0, [], []];
  clock = new ManualClock();
});

const put = (book: Book): Book => {
  const stored = { ...book, metadata: { ...book.metadata, resourceVersion: `${++version}` } };
  kept.set(book.metadata.name ?? '', stored);
  return stored;
};

const storage: ResourceStorage<Book> = {
  get: async (name) => kept.get(name),
  list: async () => ({ items: [...kept.values()], resourceVersion: `${version}` }),
  async *watch() {
    yield* events;
  },
  create: async (book) => {
    if (kept.has(book.metadata.name ?? '')) throw alreadyExists(RESOURCE, book.metadata.name ?? '');
    return put(book);
  },
  update: async (book, { current }) => {
    const { name = '' } = book.metadata;
    if (kept.get(name) !== current) throw conflict(RESOURCE, name, 'the book has changed');
    return put(book);
  },
  delete: async (name) => void kept.delete(name),
};

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { spec: { type: 'object', required: ['pages'], properties: { pages: { type: 'integer', minimum: 1 } } } },
};

const apiOf = (more: Partial<AggregatedResource<Book>> = {}) =>
  defineAggregatedApi({
    name: 'books',
    group: GROUP,
    version: 'v1',
    resources: [defineAggregatedResource<Book>({ name: 'books', kind: 'Book', schema: SCHEMA, storage, ...more })],
  });

interface Asked {
  readonly body?: Json;
  readonly type?: string;
  readonly accept?: string;
  readonly api?: ReturnType<typeof apiOf>;
}

async function ask(method: string, uri: string, { body, type, accept, api = apiOf() }: Asked = {}) {
  const [path = '', search = ''] = uri.split('?');
  const query = new URLSearchParams(search);
  const info = requestInfo(method, path, query);
  if (info === undefined) throw new Error(uri);
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const headers = { ...(type && { 'content-type': type }), accept: accept ?? 'application/json' };
  const { signal } = new AbortController();
  const log = { info: () => undefined, error: (message: string) => void logged.push(message) };
  const user = { name: 'bob', uid: '', groups: [], extra: {} };
  const request = { method, query, headers, body: async () => bytes, signal };
  const answer = await serveAggregatedApi(api, { request, info, user, clock, log });
  const lines: JsonObject[] = [];
  const take = (text: string): void => void lines.push(...text.split('\n').filter(Boolean).map(objectOf));
  if (typeof answer.body === 'string' || answer.body instanceof Uint8Array) take(Buffer.from(answer.body).toString());
  else for await (const chunk of answer.body) take(Buffer.from(chunk).toString());
  return { status: answer.status, body: lines[0] ?? {}, lines };
}

const objectOf = (line: string): JsonObject => {
  const value = JSON.parse(line) as Json;
  return isObject(value) ? value : {};
};

const book = (name: string, pages: number, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name, ...metadata },
  spec: { pages },
});

test('names an object after its generateName, and gives it a uid and a time', async () => {
  const { status, body } = await ask('POST', BOOKS, { body: { metadata: { generateName: 'b-' }, spec: { pages: 1 } } });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    kind: 'Book',
    metadata: { name: expect.stringMatching(/^b-[a-z0-9]{5}$/), namespace: 'default', uid: expect.any(String) },
  });
});

test.each<[string, Json, number, string]>([
  ['of another kind', { kind: 'Other', ...book('a', 1) }, 400, 'Kind=Other in the body does not match'],
  ['of another namespace', book('a', 1, { namespace: 'x' }), 400, 'does not match the namespace sent on the request'],
  ['without a name', { spec: { pages: 1 } }, 400, 'name or generateName is required'],
  ['that is no object', [1], 400, 'the body is no object'],
  ['whose name is no segment of a path', book('a/b', 1), 422, 'metadata.name'],
  ['against its schema', book('a', 0), 422, 'spec.pages'],
])('refuses an object %s', async (_, body, status, message) => {
  expect(await ask('POST', BOOKS, { body })).toMatchObject({
    status,
    body: { message: expect.stringContaining(message) },
  });
  expect(kept.size).toBe(0);
});

test('judges objects by a type of zod, whose defaults it takes, and keeps their metadata', async () => {
  const schema = z.object({ spec: z.object({ pages: z.int().min(1), title: z.string().default('untitled') }) });
  const api = apiOf({ schema });
  expect(await ask('POST', BOOKS, { api, body: book('a', 0) })).toMatchObject({
    status: 422,
    body: { reason: 'Invalid', message: expect.stringContaining('spec.pages') },
  });
  expect(await ask('POST', BOOKS, { api, body: book('a', 1, { labels: { x: 'y' } }) })).toMatchObject({
    status: 201,
    body: { metadata: { labels: { x: 'y' } }, spec: { pages: 1, title: 'untitled' } },
  });
  expect(api.declaration.resources[0]?.schema).toMatchObject({ properties: { spec: { required: ['pages'] } } });
});

test('patches by JSON patch and merge patch, and by no other', async () => {
  await ask('POST', BOOKS, { body: book('a', 1) });
  const patch = (type: string, body: Json) => ask('PATCH', `${BOOKS}/a`, { type, body });
  const json = await patch('application/json-patch+json', [{ op: 'replace', path: '/spec/pages', value: 2 }]);
  expect(json.body).toMatchObject({ spec: { pages: 2 }, metadata: { resourceVersion: '2' } });
  expect((await patch(MERGE, { spec: { title: 'T' } })).body).toMatchObject({ spec: { pages: 2, title: 'T' } });
  expect((await patch(MERGE, { spec: { pages: 0 } })).status).toBe(422);
  expect((await patch(MERGE, { metadata: { name: 'b' } })).status).toBe(400);
  expect((await patch(MERGE, [1])).status).toBe(400);
  for (const type of ['application/apply-patch+yaml', 'application/strategic-merge-patch+json'])
    expect((await patch(type, {})).status).toBe(415);
});

test('makes a patch anew where somebody else writes meanwhile, unless it names a version', async () => {
  await ask('POST', BOOKS, { body: book('a', 1) });
  let others = 2;
  const api = apiOf({
    storage: {
      ...storage,
      get: async (name) => {
        const read = kept.get(name);
        if (others-- > 0 && read !== undefined) put({ ...read, spec: { pages: 10 + others } });
        return read;
      },
    },
  });
  const patched = await ask('PATCH', `${BOOKS}/a`, { api, type: MERGE, body: { spec: { title: 'T' } } });
  expect(patched.body).toMatchObject({ spec: { pages: 10, title: 'T' } });
  const old = { metadata: { resourceVersion: '1' }, spec: { title: 'U' } };
  expect((await ask('PATCH', `${BOOKS}/a`, { type: MERGE, body: old })).body).toMatchObject({ reason: 'Conflict' });
});

test('keeps uid and time of an object that is replaced', async () => {
  const { body: made } = await ask('POST', BOOKS, { body: book('a', 1) });
  const other = book('a', 3, { uid: 'other', creationTimestamp: '2001-01-01T00:00:00Z' });
  const { body } = await ask('PUT', `${BOOKS}/a`, { body: other });
  const { uid, creationTimestamp } = isObject(made['metadata']) ? made['metadata'] : {};
  expect(body).toMatchObject({ spec: { pages: 3 }, metadata: { uid, creationTimestamp } });
});

test('deletes only the object that the preconditions name', async () => {
  const { body } = await ask('POST', BOOKS, { body: book('a', 1) });
  const { uid } = isObject(body['metadata']) ? body['metadata'] : {};
  const wrong = await ask('DELETE', `${BOOKS}/a`, { body: { preconditions: { uid: 'other' } } });
  expect(wrong).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('UID in precondition: other') },
  });
  const old = await ask('DELETE', `${BOOKS}/a`, { body: { preconditions: { resourceVersion: '9' } } });
  expect(old).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('ResourceVersion in precondition: 9') },
  });
  await ask('DELETE', `${BOOKS}/a`, { body: { dryRun: ['All'] } });
  expect(kept.size).toBe(1);
  await ask('DELETE', `${BOOKS}/a`, { body: { preconditions: { uid: uid ?? null } } });
  expect(kept.size).toBe(0);
});

test.each([
  ['fieldSelector=metadata.name%3Db', ['b']],
  ['fieldSelector=metadata.name!%3Db,metadata.namespace%3Ddefault', ['a', 'c']],
  ['labelSelector=x', ['c']],
])('lists what %s selects', async (query, names) => {
  for (const name of ['a', 'b', 'c'])
    await ask('POST', BOOKS, { body: book(name, 1, name === 'c' ? { labels: { x: 'y' } } : {}) });
  const { items } = (await ask('GET', `${BOOKS}?${query}`)).body;
  expect(items).toMatchObject(names.map((name) => ({ metadata: { name } })));
  expect(items).toHaveLength(names.length);
});

test.each(['fieldSelector=spec.pages%3D1', 'labelSelector=%3D%3D'])('refuses %s', async (query) => {
  expect((await ask('GET', `${BOOKS}?${query}`)).status).toBe(400);
});

test('a verb that the storage does not have is none of the resource', async () => {
  const api = apiOf({ storage: { get: async (name) => kept.get(name) } });
  expect(api.declaration.resources[0]?.verbs).toEqual(['get']);
  for (const [method, path] of [
    ['GET', BOOKS],
    ['POST', BOOKS],
    ['DELETE', `${BOOKS}/a`],
    ['DELETE', BOOKS],
  ] as const)
    expect((await ask(method, path, { api, body: {} })).status).toBe(405);
});

test('a fault of the author is an internal error whose reason only the log has', async () => {
  const api = apiOf({ storage: { get: () => Promise.reject(new Error('password hunter2 is wrong')) } });
  const { status, body } = await ask('GET', `${BOOKS}/a`, { api });
  expect([status, JSON.stringify(body).includes('hunter2')]).toEqual([500, false]);
  expect(logged).toEqual(['password hunter2 is wrong']);
});

test('a column that fails hides no object', async () => {
  await ask('POST', BOOKS, { body: book('a', 1) });
  const value = (): string => {
    throw new Error('odd');
  };
  const api = apiOf({ columns: [{ name: 'Odd', type: 'string', value }] });
  const { body } = await ask('GET', BOOKS, { api, accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  expect(body['rows']).toMatchObject([{ cells: ['a', '<unknown>', expect.any(String)] }]);
});

test('a watch begins with the objects that are there, and marks their end where the client asks for it', async () => {
  await ask('POST', BOOKS, { body: book('a', 1) });
  events = [{ type: 'BOOKMARK', resourceVersion: '7' }];
  const query = 'watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const { lines } = await ask('GET', `${BOOKS}?${query}`);
  const end = { annotations: { 'k8s.io/initial-events-end': 'true' }, resourceVersion: '1' };
  expect(lines).toMatchObject([
    { type: 'ADDED', object: { metadata: { name: 'a' } } },
    { type: 'BOOKMARK', object: { kind: 'Book', metadata: end } },
    { type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } },
  ]);
});

test('a watch ends at its time, although the author sends nothing and hears no signal', async () => {
  const api = apiOf({
    storage: {
      ...storage,
      async *watch(): AsyncGenerator<ObjectEvent<Book>> {
        await new Promise(() => undefined);
        yield* events;
      },
    },
  });
  const asked = ask('GET', `${BOOKS}?watch=true&resourceVersion=1&timeoutSeconds=5`, { api });
  clock.advance(5_000);
  expect((await asked).lines).toEqual([]);
});

test.each<[string, object, string]>([
  ['a group without a dot', { group: 'books' }, 'group'],
  ['a name that is no label', { name: 'Books' }, 'name'],
  ['no resource', { resources: [] }, 'resources'],
  ['a priority of zero', { versionPriority: 0 }, 'versionPriority'],
])('cannot be declared with %s', (_, wrong, field) => {
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
