import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { RETENTION, serverInProcess } from '#test/support/server-in-process.ts';
import { json, type Sent } from './front-door.ts';
import { answerOf, request, TOKEN } from './in-process.ts';
import { KINDS, metadataOf } from './kinds.ts';
import { APPLY, defineCronTabs } from './matrix.ts';

const ROUNDS = 20;
const WRITERS = [1, 2, 3, 4, 5, 6, 7, 8];
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const SERVICES = '/api/v1/namespaces/default/services';

/** Two instances on one store, as in an account. Each sees the other's writes only in the store. */
const store = new MemoryStore({ clock: systemClock, retention: RETENTION });
const tokens = new Map([[TOKEN, { name: 'admin', groups: [SYSTEM_MASTERS] }]]);
const servers = [1, 2].map(() => serverInProcess({ store, clock: systemClock, tokens, exclusive: false }).server);

async function send(sent: Sent, instance = 0) {
  const server = servers[instance % servers.length];
  if (server === undefined) throw new RangeError(`no instance ${instance}`);
  return answerOf(await server.handle(request(sent, new AbortController().signal)));
}
async function ok(method: string, path: string, body?: Sent['body'], headers: Sent['headers'] = {}) {
  const answer = await send({ method, path, ...defined({ body }), headers });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}`);
  return json(answer);
}

beforeAll(async () => {
  await ok('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  await defineCronTabs({ ok });
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await store.close();
});

/** Counts responses by status for writers that all start at the same time. */
async function statuses(write: (writer: number) => Sent): Promise<Record<number, number>> {
  const answers = await Promise.all(WRITERS.map((writer) => send(write(writer), writer)));
  return Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, same]) => [status, same.length]),
  );
}

test.each(KINDS)('concurrent applies that create one object all succeed: $title', async ({ collection, object }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const path = `${collection('default')}/applied-${round}`;
    const applied = (writer: number): JsonObject => {
      const given = object(`applied-${round}`, 'same');
      return { ...given, metadata: { ...metadataOf(given), labels: { [`writer-${writer}`]: 'yes' } } };
    };
    const answered = await statuses((writer) => ({
      method: 'PATCH',
      path: `${path}?fieldManager=writer-${writer}`,
      body: applied(writer),
      headers: APPLY,
    }));
    expect(answered).toEqual({ 200: WRITERS.length - 1, 201: 1 });
    const { labels, managedFields } = metadataOf(await ok('GET', path));
    expect(Object.keys(labels as JsonObject).toSorted()).toEqual(WRITERS.map((writer) => `writer-${writer}`));
    const managers = (managedFields as JsonObject[]).map(({ manager }) => manager);
    expect(managers.toSorted()).toEqual(WRITERS.map((writer) => `writer-${writer}`));
  }
});

test('a second replacement replaces, and keeps no address, if its kind needs no version', async () => {
  const ports = [{ port: 80 }];
  for (let round = 0; round < ROUNDS; round++) {
    const path = `${SERVICES}/replaced-${round}`;
    const metadata = { name: `replaced-${round}` };
    const answered = await statuses((writer) => ({
      method: 'PUT',
      path,
      body: { metadata, spec: { ports, selector: { writer: String(writer) } } },
    }));
    expect(answered).toEqual({ 200: WRITERS.length - 1, 201: 1 });
  }
  const services = (await ok('GET', SERVICES))['items'] as { spec: { clusterIP: string } }[];
  const addresses = (await ok('GET', '/apis/networking.k8s.io/v1/ipaddresses'))['items'] as JsonObject[];
  const taken = addresses.map((address) => metadataOf(address)['name']);
  expect(taken.toSorted()).toEqual(services.map(({ spec }) => spec.clusterIP).toSorted());
  expect(taken).toHaveLength(ROUNDS);
});

test('a second replacement is rejected without a version, if its kind needs one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const path = `${LEASES}/replaced-${round}`;
    const body = { metadata: { name: `replaced-${round}` }, spec: {} };
    expect(await statuses(() => ({ method: 'PUT', path, body }))).toEqual({ 201: 1, 422: WRITERS.length - 1 });
  }
});

test('creates one of several objects that are posted concurrently', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const body = { metadata: { name: `posted-${round}` } };
    const path = '/api/v1/namespaces/default/configmaps';
    expect(await statuses(() => ({ method: 'POST', path, body }))).toEqual({ 201: 1, 409: WRITERS.length - 1 });
  }
});
