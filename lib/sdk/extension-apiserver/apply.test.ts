import { beforeEach, expect, test } from 'vitest';
import { arrayAt, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf } from '#lib/machinery/meta.ts';
import { toJsonObject } from '#lib/sdk/webhook-sdk/envelope.ts';
import { APPLY } from '#lib/server/endpoints/applied-type.ts';
import { aBookshop, BOOKS, type Book, book, GROUP, MERGE } from './bookshop.conformance.ts';

let shop: ReturnType<typeof aBookshop>;
beforeEach(() => void (shop = aBookshop()));

type More = NonNullable<Parameters<typeof shop.ask>[2]>;

const applied = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Book',
  metadata: { name: 'a', ...metadata },
  spec,
});
const apply = (manager: string, body: JsonObject, more: More & { readonly query?: string } = {}) =>
  shop.ask('PATCH', `${BOOKS}/a?fieldManager=${manager}${more.query ?? ''}`, { type: APPLY, body, ...more });

/** The managers of the stored book, each with its operation and the fields of its set. */
const managers = () => {
  const entries = arrayAt(metadataOf(toJsonObject(shop.kept.get('a') ?? {})), 'managedFields');
  return entries.filter(isObject).map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1]);
};
/** Stores a book without managers. */
const store = () => {
  const names = { apiVersion: `${GROUP}/v1`, kind: 'Book', metadata: { name: 'a', namespace: 'default' } };
  shop.put({ ...names, spec: { pages: 1, title: 'T' } });
};
const fields = (...names: string[]): JsonObject => ({
  'f:spec': Object.fromEntries(names.map((field) => [field === '.' ? field : `f:${field}`, {}])),
});

test('applies a configuration: creates the object, then changes it', async () => {
  expect(await apply('ann', applied({ pages: 1, title: 'T' }))).toMatchObject({
    status: 201,
    body: { kind: 'Book', metadata: { name: 'a', namespace: 'default', uid: expect.any(String) }, spec: { pages: 1 } },
  });
  expect(managers()).toEqual([['ann', 'Apply', fields('pages', 'title')]]);
  expect(await apply('ann', applied({ pages: 2 }))).toMatchObject({ status: 200, body: { spec: { pages: 2 } } });
  expect(shop.kept.get('a')?.spec).toEqual({ pages: 2 }); // the title is no longer applied
});

test('returns a conflict with the fields and their manager, and transfers them with force', async () => {
  await apply('ann', applied({ pages: 1 }));
  const why = 'Apply failed with 1 conflict: conflict with "ann": .spec.pages';
  expect(await apply('bob', applied({ pages: 2 }))).toMatchObject({
    status: 409,
    body: { reason: 'Conflict', message: why, details: { causes: [{ field: '.spec.pages' }] } },
  });
  expect((await apply('bob', applied({ pages: 2 }), { query: '&force=true' })).status).toBe(200);
  expect(managers()).toEqual([['bob', 'Apply', fields('pages')]]);
});

test('records the owners of fields after a create, a replacement and a patch', async () => {
  await shop.ask('POST', BOOKS, { body: book('a', 1), userAgent: 'kubectl/v1.36.2 (linux/amd64)' });
  expect(managers()).toEqual([['kubectl', 'Update', fields('.', 'pages')]]);
  await shop.ask('PATCH', `${BOOKS}/a?fieldManager=titles`, { type: MERGE, body: { spec: { title: 'T' } } });
  await shop.ask('PUT', `${BOOKS}/a?fieldManager=pages`, { body: { ...book('a', 2), spec: { pages: 2, title: 'T' } } });
  expect(managers()).toEqual([
    ['kubectl', 'Update', { 'f:spec': {} }],
    ['pages', 'Update', fields('pages')],
    ['titles', 'Update', fields('title')],
  ]);
  expect((await apply('ann', applied({ title: 'U' }))).body).toMatchObject({
    message: `Apply failed with 1 conflict: conflict with "titles" using ${GROUP}/v1: .spec.title`,
  });
});

test('assigns the fields of an object without managers to before-first-apply', async () => {
  store();
  await shop.ask('PATCH', `${BOOKS}/a`, { type: MERGE, body: { spec: { title: 'U' } } });
  expect(managers()).toEqual([]);
  expect((await apply('ann', applied({ pages: 2 }))).body).toMatchObject({
    message: `Apply failed with 1 conflict: conflict with "before-first-apply" using ${GROUP}/v1: .spec.pages`,
  });
  await apply('ann', applied({ pages: 1 }));
  expect(managers()).toEqual([
    ['ann', 'Apply', fields('pages')],
    ['before-first-apply', 'Update', fields('.', 'pages', 'title')],
  ]);
});

test('supports a storage that keeps no managers', async () => {
  const forget = ({ apiVersion, kind, metadata: { name = '', namespace = '' }, spec }: Book) =>
    shop.put({ apiVersion, kind, metadata: { name, namespace }, spec });
  const api = shop.apiOf({
    storage: { ...shop.storage, create: async (object) => forget(object), update: async (object) => forget(object) },
  });
  expect((await apply('ann', applied({ pages: 1 }), { api })).status).toBe(201);
  expect((await apply('ann', applied({ pages: 2 }), { api, query: '&force=true' })).body).toMatchObject({
    spec: { pages: 2 },
  });
  expect(managers()).toEqual([]);
});

test('does not write for an apply, a patch or a replacement without changes', async () => {
  await apply('ann', applied({ pages: 1 }));
  shop.clock.advance(60_000);
  expect((await apply('ann', applied({ pages: 1 }))).body).toMatchObject({ metadata: { resourceVersion: '1' } });
  const same = { spec: { pages: 1 } };
  expect((await shop.ask('PATCH', `${BOOKS}/a`, { type: MERGE, body: same })).status).toBe(200);
  expect((await shop.ask('PUT', `${BOOKS}/a`, { body: book('a', 1) })).status).toBe(200);
  expect(shop.kept.get('a')?.metadata.resourceVersion).toBe('1');
});

test('supports a dry-run apply', async () => {
  expect((await apply('ann', applied({ pages: 1 }), { query: '&dryRun=All' })).status).toBe(201);
  expect(shop.kept.size).toBe(0);
  await apply('ann', applied({ pages: 1 }));
  expect((await apply('ann', applied({ pages: 2 }), { query: '&dryRun=All' })).body).toMatchObject(
    applied({ pages: 2 }),
  );
  expect(shop.kept.get('a')?.spec.pages).toBe(1);
});

test('merges lists by the keys of the schema', async () => {
  const item = { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer' } } };
  const parts = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: item };
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { parts } } } };
  const api = shop.apiOf({ schema });
  await apply('ann', applied({ parts: [{ name: 'x', n: 1 }] }), { api });
  expect((await apply('bob', applied({ parts: [{ name: 'y', n: 2 }] }), { api })).body).toMatchObject({
    spec: {
      parts: [
        { name: 'x', n: 1 },
        { name: 'y', n: 2 },
      ],
    },
  });
});

test('retries if another client creates the object concurrently', async () => {
  let isFirst = true;
  const get = async (name: string) => {
    const found = shop.kept.get(name);
    if (isFirst) store();
    isFirst = false;
    return found;
  };
  const api = shop.apiOf({ storage: { ...shop.storage, get } });
  const { status, body } = await apply('ann', applied({ pages: 1 }), { api });
  expect([status, body['spec']]).toEqual([200, { pages: 1, title: 'T' }]);
});

test.each<[string, JsonObject, string, number, string]>([
  ['without a manager', applied({ pages: 1 }), '', 422, 'fieldManager: Required value: is required for apply patch'],
  [
    'with another kind',
    { ...applied({ pages: 1 }), kind: 'Pen' },
    'ann',
    400,
    `invalid object type: ${GROUP}/v1, Kind=Pen`,
  ],
  ['with managers', applied({ pages: 1 }, { managedFields: [] }), 'ann', 400, 'metadata.managedFields must be nil'],
  [
    'with another name',
    applied({ pages: 1 }, { name: 'b' }),
    'ann',
    400,
    'the name of the object (b) does not match the name on the URL (a)',
  ],
  [
    'that violates the schema',
    applied({ pages: 0 }),
    'ann',
    422,
    'Book.books.example.com "a" is invalid: spec.pages: Invalid value: 0: spec.pages in body should be greater than or equal to 1',
  ],
  [
    'with a value of another type',
    applied({ pages: 'x' }),
    'ann',
    500,
    `failed to create typed patch object (/a; ${GROUP}/v1, Kind=Book): .spec.pages: expected numeric (int or float), got string`,
  ],
  [
    'with the uid of a missing object',
    applied({ pages: 1 }, { uid: 'u' }),
    'ann',
    409,
    'uid mismatch: the provided object specified uid u, and no existing object was found',
  ],
  [
    'in another namespace',
    applied({ pages: 1 }, { namespace: 'x' }),
    'ann',
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
])('rejects a configuration %s', async (_, body, manager, status, message) => {
  expect(await apply(manager, body)).toMatchObject({ status, body: { message: expect.stringContaining(message) } });
  expect(shop.kept.size).toBe(0);
});

test('rejects a create by a user with only the permission to patch', async () => {
  expect(await apply('ann', applied({ pages: 1 }), { mayCreate: false })).toMatchObject({
    status: 403,
    body: {
      message: `books.${GROUP} "a" is forbidden: User "bob" cannot create resource "books" in API group "${GROUP}" in the namespace "default"`,
    },
  });
  await apply('ann', applied({ pages: 1 }));
  expect((await apply('ann', applied({ pages: 2 }), { mayCreate: false })).status).toBe(200);
});

test('returns 405 if the storage cannot create or update', async () => {
  const { create: _, ...rest } = shop.storage;
  expect((await apply('ann', applied({ pages: 1 }), { api: shop.apiOf({ storage: rest }) })).status).toBe(405);
  const { update: __, ...fixed } = shop.storage;
  expect((await apply('ann', applied({ pages: 1 }), { api: shop.apiOf({ storage: fixed }) })).status).toBe(405);
});

test('rejects a patch whose result has more values than a body may have', async () => {
  const grow = (field: string, count: number) =>
    shop.ask('PATCH', `${BOOKS}/a`, {
      type: MERGE,
      body: { spec: { [field]: Array.from({ length: count }, () => 1) } },
    });
  await shop.ask('POST', BOOKS, { body: book('a', 1) });
  expect((await grow('first', 30_000)).status).toBe(200);
  expect((await grow('second', 30_000)).status).toBe(413);
});
