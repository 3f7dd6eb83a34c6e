import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { scheduleOnce } from './look.ts';

const NAMES = new Set(['default-scheduler']);
const refuse = (): Promise<never> => Promise.reject(new Error('not asked for'));

/** Specs of waiting pods, one lease, and what came of a look. */
function aWorld(specs: readonly JsonObject[], done = true) {
  let lease: JsonObject | undefined;
  const clock = new ManualClock();
  const told = { bindings: [] as JsonObject[], lookedAt: [] as number[], schedules: 0 };
  const client: Client = {
    list: async () => specs.map((spec) => ({ spec })),
    get: async () => lease,
    create: async (_, object, subresource) => {
      if (subresource === undefined) return (lease = object);
      told.bindings.push(object);
      return {};
    },
    update: async (_, object) => (lease = object),
    patch: refuse,
    apply: refuse,
    delete: refuse,
    document: refuse,
  };
  const one = (during: (client: Client) => Promise<void> = async () => undefined): Promise<void> =>
    scheduleOnce({
      client,
      clock,
      identity: String(told.schedules),
      schedulerNames: NAMES,
      async schedule(fenced) {
        told.schedules++;
        await during(fenced);
        return done;
      },
      lookAt: async (at) => void told.lookedAt.push(at - clock.now()),
      reportFault: () => undefined,
    });
  return { one, told };
}

const OURS: JsonObject = { schedulerName: 'default-scheduler' };
const THEIRS: JsonObject = { schedulerName: 'other' };

test.each<[string, JsonObject[], number]>([
  ['nobody waits', [], 0],
  ['who waits is for another scheduler', [THEIRS], 0],
  ['who waits has a gate', [{ ...OURS, schedulingGates: [{ name: 'a' }] }], 0],
  ['someone waits', [THEIRS, OURS], 1],
])('where %s', async (_, specs, schedules) => {
  const { one, told } = aWorld(specs);
  await one();
  expect(told).toEqual({ bindings: [], lookedAt: [], schedules });
});

test('looks again after a minute while pods wait', async () => {
  const { one, told } = aWorld([OURS], false);
  await one();
  expect(told.lookedAt).toEqual([60_000]);
});

test('one works at a time: the other comes back later', async () => {
  const { one, told } = aWorld([OURS]);
  await one(() => one());
  expect([told.schedules, told.lookedAt]).toEqual([1, [60_000]]);
});

test('bindings are made in the name of the lease', async () => {
  const { one, told } = aWorld([OURS]);
  const bind = async (client: Client): Promise<void> => {
    await client.create({ group: '', version: 'v1', resource: 'pods' }, { metadata: { name: 'p' } }, 'binding');
  };
  await one(bind);
  await one(bind);
  expect(told.bindings.map((binding) => binding['metadata'])).toEqual([
    { name: 'p', annotations: { 'davit.dev/fencing-token': 'kube-system/kube-scheduler/0' } },
    { name: 'p', annotations: { 'davit.dev/fencing-token': 'kube-system/kube-scheduler/1' } },
  ]);
});
