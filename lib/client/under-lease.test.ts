import { expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import type { Client } from './client.ts';
import { fenceClient, underLease } from './under-lease.ts';

const clock = new ManualClock();
const refuse = (): Promise<never> => Promise.reject(new Error('not asked for'));

/** A client of one lease. */
function aWorld() {
  let lease: JsonObject | undefined;
  const created: JsonObject[] = [];
  const keep = async (object: JsonObject): Promise<JsonObject> => (lease = object);
  const client: Client = {
    get: async () => lease,
    create: (_, object, subresource) =>
      subresource === undefined ? keep(object) : (created.push(object), keep(lease ?? {})),
    update: (_, object) => keep(object),
    list: refuse,
    patch: refuse,
    apply: refuse,
    delete: refuse,
    document: refuse,
  };
  const cut = new Set<string>();
  const work = <T>(
    identity: string,
    then: (transitions: number, lost: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    const own: Client = { ...client, get: (ref) => (cut.has(identity) ? refuse() : client.get(ref)) };
    return underLease(
      { client: own, clock, namespace: 'ns', name: 'lease', identity, onFault: () => undefined },
      ({ transitions }, lost) => then(transitions, lost),
    );
  };
  return { client, created, work, cut, spec: () => objectAt(lease, 'spec') };
}

test('gives each holder a new number, and releases the lease', async () => {
  const { work, spec } = aWorld();
  const numbers = [await work('a', async (number) => number), await work('b', async (number) => number)];
  expect(numbers).toEqual([0, 1]);
  expect(await work('b', async (number) => number)).toBe(2);
  expect(spec()).toMatchObject({ holderIdentity: '', leaseTransitions: 2 });
});

test('allows no other holder while the lease is held, however long', async () => {
  const { work } = aWorld();
  const refused = await work('a', async () => {
    for (let i = 0; i < 30; i++) {
      clock.advance(1_000);
      await settled();
    }
    return work('b', async () => 'worked');
  });
  expect(refused).toBeUndefined();
});

test('aborts the signal of a disconnected holder, and the next one works', async () => {
  const { work, cut } = aWorld();
  const outcome = await work('a', async (_, lost) => {
    cut.add('a');
    for (let i = 0; i < 16; i++) {
      clock.advance(1_000);
      await settled();
    }
    return [lost.aborted, await work('b', async (number) => number)];
  });
  expect(outcome).toEqual([true, 1]);
});

test('releases the lease if the work fails', async () => {
  const { work, spec } = aWorld();
  await expect(work('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(spec()).toMatchObject({ holderIdentity: '' });
});

test('adds the token only to bindings', async () => {
  const { client, created } = aWorld();
  const fencing = fenceClient(client, { namespace: 'ns', name: 'lease', transitions: 4 });
  const pods = { group: '', version: 'v1', resource: 'pods' };
  await fencing.create(pods, { metadata: { name: 'p', annotations: { a: 'b' } } }, 'binding');
  await fencing.create(pods, { metadata: { name: 'p' } }, 'eviction');
  expect(created).toEqual([
    { metadata: { name: 'p', annotations: { a: 'b', 'davit.dev/fencing-token': 'ns/lease/4' } } },
    { metadata: { name: 'p' } },
  ]);
});
