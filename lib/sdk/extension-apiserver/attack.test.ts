import { beforeEach, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { APPLY } from '#lib/server/endpoints/applied-type.ts';
import { aBookshop, BOOKS, book, GROUP, MERGE } from './bookshop.conformance.ts';

let shop: ReturnType<typeof aBookshop>;
beforeEach(() => void (shop = aBookshop()));

const JSON_PATCH = 'application/json-patch+json';
const create = (name: string, metadata = {}) => shop.ask('POST', BOOKS, { body: book(name, 1, metadata) });

test.each<[string, string, Json]>([
  ['to another namespace with a merge patch', MERGE, { metadata: { namespace: 'kube-system' } }],
  [
    'to another namespace with a JSON patch',
    JSON_PATCH,
    [{ op: 'replace', path: '/metadata/namespace', value: 'kube-system' }],
  ],
  ['to another kind', MERGE, { kind: 'Secret' }],
  ['to another group', MERGE, { apiVersion: 'v1' }],
  ['to another name', MERGE, { metadata: { name: 'b' } }],
])('rejects a patch that moves an object %s', async (_, type, body) => {
  await create('a');
  const before = shop.kept.get('a');
  expect((await shop.ask('PATCH', `${BOOKS}/a`, { type, body })).status).toBe(400);
  expect(shop.kept.get('a')).toBe(before);
});

test.each([MERGE, JSON_PATCH])('keeps the namespace of an object if its patch removes it, with %s', async (type) => {
  await create('a');
  const body: Json =
    type === MERGE ? { metadata: { namespace: null } } : [{ op: 'remove', path: '/metadata/namespace' }];
  expect((await shop.ask('PATCH', `${BOOKS}/a`, { type, body })).body).toMatchObject({
    metadata: { namespace: 'default' },
  });
});

/** Permissions may be limited to one name, so a watch must return only the authorized object. */
test.each([
  BOOKS.replace('/namespaces', '/watch/namespaces') + '/a',
  BOOKS.replace('/namespaces', '/watch/namespaces') + '/a?fieldSelector=metadata.name=b',
  `${BOOKS}/a?watch=true&fieldSelector=metadata.name=b`,
])('limits a watch of one object to that object: %s', async (uri) => {
  await create('a');
  await create('b');
  const { lines } = await shop.ask('GET', uri);
  expect(JSON.stringify(lines)).not.toContain('"name":"b"');
});

test('creates no object with a name other than the authorized one', async () => {
  expect((await shop.ask('POST', `${BOOKS}/a`, { body: book('b', 1) })).status).toBe(405);
  expect((await shop.ask('PATCH', BOOKS, { type: MERGE, body: book('b', 1) })).status).toBe(405);
  const applied = { apiVersion: `${GROUP}/v1`, kind: 'Book', metadata: {}, spec: { pages: 1 } };
  expect((await shop.ask('PATCH', `${BOOKS}?fieldManager=x`, { type: APPLY, body: applied })).status).toBe(405);
  expect((await shop.ask('PUT', BOOKS, { body: { spec: { pages: 1 } } })).status).toBe(405);
  expect(shop.kept.size).toBe(0);
});

test.each(['%2e%2e', '%25', '.'])('passes no name to a storage that is not a path segment: %s', async (name) => {
  expect((await shop.ask('GET', `${BOOKS}/${name}`)).status).toBe(400);
  expect((await shop.ask('GET', `/apis/${GROUP}/v1/namespaces/${name}/books/a`)).status).toBe(400);
});

test('sets the uid and times of an object, ignoring the values of the client', async () => {
  const forged = { uid: 'u', creationTimestamp: '1970-01-01T00:00:00Z', deletionTimestamp: '1970-01-01T00:00:00Z' };
  const { status, body } = await create('a', forged);
  expect(status).toBe(201);
  expect(body['metadata']).not.toMatchObject({ uid: 'u' });
  expect(JSON.stringify(body)).not.toMatch(/deletionTimestamp|creationTimestamp":"1970/);
});

test.each<[string, string, JsonObject]>([
  ['PUT', 'application/json', book('a', 2, { uid: 'of-another' })],
  ['PATCH', MERGE, { metadata: { uid: 'of-another' } }],
])('does not change an object that was recreated since the client read it: %s', async (method, type, body) => {
  await create('a');
  expect(await shop.ask(method, `${BOOKS}/a`, { type, body })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('UID in precondition: of-another') },
  });
  expect(shop.kept.get('a')?.spec.pages).toBe(1);
});

test.each<JsonObject>([
  { labels: { x: 5 } },
  { labels: 'x' },
  { finalizers: {} },
  { ownerReferences: [1] },
  { deletionTimestamp: 'soon' },
])('rejects metadata that clients cannot read: %j', async (metadata) => {
  expect((await create('a', metadata)).status).toBe(400);
  await create('b');
  expect((await shop.ask('PUT', `${BOOKS}/b`, { body: book('b', 1, metadata) })).status).toBe(400);
  expect((await shop.ask('PATCH', `${BOOKS}/b`, { type: MERGE, body: { metadata } })).status).toBe(400);
});

test('drops unknown metadata, which would make every apply fail', async () => {
  const metadata = JSON.parse('{"name":"a","other":1,"__proto__":{"uid":"x"},"constructor":{}}') as JsonObject;
  expect((await shop.ask('POST', BOOKS, { body: { metadata, spec: { pages: 1 } } })).status).toBe(201);
  const body = { apiVersion: `${GROUP}/v1`, kind: 'Book', metadata: { name: 'a' }, spec: { pages: 2 } };
  const uri = `${BOOKS}/a?fieldManager=x&force=true`;
  expect((await shop.ask('PATCH', uri, { type: APPLY, body })).status).toBe(200);
});
