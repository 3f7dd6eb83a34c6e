import { expect, test } from 'vitest';
import { conflict, serviceUnavailable } from '#lib/machinery/errors.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { aborted } from '#lib/machinery/wait/on-abort.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import type { Client } from './client.ts';
import { elect } from './leader-election.ts';

const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };

/** One lease, and its candidates with a shared clock. */
class World {
  readonly clock = new ManualClock();
  readonly unreachable = new Set<string>();
  readonly leading = new Set<string>();
  readonly outcomes = new Map<string, boolean>();
  lease: JsonObject | undefined;
  #version = 0;

  candidate(identity: string): AbortController {
    const ending = new AbortController();
    const lead = async (signal: AbortSignal): Promise<void> => {
      this.leading.add(identity);
      await aborted(signal);
      this.leading.delete(identity);
    };
    const { clock } = this;
    const given = { clock, random: () => 0, namespace: 'team', name: 'lease', identity, signal: ending.signal };
    void elect({ ...given, client: this.#client(identity), onFault: () => undefined }, lead).then((kept) =>
      this.outcomes.set(identity, kept),
    );
    return ending;
  }

  #client(identity: string): Client {
    const reach = (): void => {
      if (this.unreachable.has(identity)) throw serviceUnavailable('nobody answers');
    };
    const store = (object: JsonObject): JsonObject =>
      (this.lease = { ...object, metadata: { name: 'lease', resourceVersion: String(++this.#version) } });
    const client: Partial<Client> = {
      get: async () => (reach(), this.lease),
      create: async (_, object) => {
        reach();
        if (this.lease !== undefined) throw conflict(LEASES, 'lease', 'it is there');
        return store(object);
      },
      update: async (_, object) => {
        reach();
        const version = (from: JsonObject | undefined) => stringAt(objectAt(from, 'metadata'), 'resourceVersion');
        if (version(object) !== version(this.lease)) throw conflict(LEASES, 'lease', 'it has changed');
        return store(object);
      },
    };
    return client as Client;
  }

  async pass(seconds: number): Promise<void> {
    for (let i = 0; i <= seconds * 2; i++) {
      if (i > 0) this.clock.advance(500);
      await settled(8);
      expect(this.leading.size).toBeLessThan(2);
    }
  }

  spec(): JsonObject | undefined {
    return objectAt(this.lease, 'spec');
  }
}

test('elects one leader, and the next one after it releases the lease', async () => {
  const world = new World();
  const first = world.candidate('a');
  await world.pass(0);
  const second = world.candidate('b');
  await world.pass(60);
  expect([...world.leading]).toEqual(['a']);
  first.abort();
  await world.pass(3);
  expect([[...world.leading], world.outcomes.get('a')]).toEqual([['b'], true]);
  expect(world.spec()).toMatchObject({ holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 1 });
  second.abort();
  await world.pass(1);
  expect(world.spec()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
});

test('stops a leader that cannot renew before another one starts', async () => {
  const world = new World();
  world.candidate('a');
  world.candidate('b');
  await world.pass(5);
  expect([...world.leading]).toEqual(['a']);
  world.unreachable.add('a');
  await world.pass(13);
  expect([[...world.leading], world.outcomes.get('a')]).toEqual([[], false]);
  await world.pass(8);
  expect([...world.leading]).toEqual(['b']);
});

test('keeps the leader during a short outage of the server', async () => {
  const world = new World();
  world.candidate('a');
  await world.pass(5);
  world.unreachable.add('a');
  await world.pass(5);
  world.unreachable.delete('a');
  await world.pass(30);
  expect([...world.leading]).toEqual(['a']);
});

test('stops a waiting candidate when its signal aborts', async () => {
  const world = new World();
  world.candidate('a');
  const second = world.candidate('b');
  await world.pass(1);
  second.abort();
  await world.pass(1);
  expect([world.outcomes.get('b'), [...world.leading]]).toEqual([true, ['a']]);
});
