import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { type FrontDoor, json } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { APPLY, MERGE } from './matrix.ts';

const HERE = '/api/v1/namespaces/default';
const MAPS = `${HERE}/configmaps`;

/** Most of its size is the names in its data. Its managed fields are as large again. */
const large = (name: string, count = 3_500): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}-`.padEnd(250, 'k'), ''])),
});
const JSON_BODY = { 'content-type': 'application/json' };
const empty = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

let door: FrontDoor;
beforeAll(async () => {
  door = await inProcess();
  await door.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'default' } } });
});
afterAll(() => door.close());

async function send(method: string, path: string, body: JsonObject, headers: Record<string, string> = JSON_BODY) {
  const answer = await door.send({ method, path, body, headers });
  const object = json(answer);
  return { status: answer.status, object, owned: objectAt(object, 'metadata')?.['managedFields'] !== undefined };
}

test('an object that is too large with its managed fields is created without them', async () => {
  expect(await send('POST', MAPS, large('created', 100))).toMatchObject({ status: 201, owned: true });
  expect(await send('POST', MAPS, large('bare'))).toMatchObject({ status: 201, owned: false });
});

test.each([
  ['PUT', JSON_BODY],
  ['PATCH', MERGE],
])('%s also drops them, and none are recorded until the next apply', async (method, headers) => {
  const name = `changed-by-${method.toLowerCase()}`;
  const path = `${MAPS}/${name}`;
  expect(await send('POST', MAPS, empty(name))).toMatchObject({ status: 201 });
  const first = await send(method, path, large(name), headers);
  expect(first).toMatchObject({ status: 200, owned: false });
  expect(await send(method, path, large(name), headers)).toEqual(first);
  expect(await send('PUT', path, { ...empty(name), data: { a: 'b' } })).toMatchObject({ status: 200, owned: false });
  expect(await send('PATCH', `${path}?fieldManager=me`, empty(name), APPLY)).toMatchObject({ owned: true });
});

test('an apply is rejected for a new and for an existing object', async () => {
  const query = '?fieldManager=me';
  expect(await send('POST', MAPS, empty('applied'))).toMatchObject({ status: 201 });
  for (const name of ['applied', 'new']) {
    expect(await send('PATCH', `${MAPS}/${name}${query}`, large(name), APPLY)).toMatchObject({
      status: 413,
      object: { reason: 'RequestEntityTooLarge' },
    });
  }
});

test('rejects an object that is too large without them', async () => {
  expect(await send('POST', MAPS, large('whole', 6_500))).toMatchObject({ status: 413 });
});
