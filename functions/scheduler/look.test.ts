import { describe, expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { scheduleOnce } from './look.ts';

type Word = readonly [number, string | undefined];

const NAMES = new Set(['default-scheduler']);
const refuse = (): Promise<never> => Promise.reject(new Error('not asked for'));

/** A world with one lease and with waiting pods that have these specs, and the result of a run. */
function aWorld(specs: readonly JsonObject[], done = true) {
  let lease: JsonObject | undefined;
  const clock = new ManualClock();
  const told = { bindings: [] as JsonObject[], lookedAt: [] as number[], lookedIn: [] as Word[], schedules: 0 };
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
  let looks = 0;
  const killed = new Set<string>();
  const ofLook = (look: string): Client => ({
    ...client,
    get: (ref) => (killed.has(look) ? refuse() : client.get(ref)),
  });
  const one = (
    during: (client: Client) => Promise<void> = async () => undefined,
    after?: readonly string[],
  ): Promise<void> =>
    scheduleOnce({
      client: ofLook(`look ${++looks}`),
      clock,
      identity: `look ${looks}`,
      ...defined({ after }),
      schedulerNames: NAMES,
      async schedule(fenced) {
        told.schedules++;
        await during(fenced);
        return done;
      },
      lookIn: async (milliseconds, checked) => void told.lookedIn.push([milliseconds, checked]),
      lookAt: async (at) => void told.lookedAt.push(at - clock.now()),
      reportFault: () => undefined,
    });
  return { one, told, clock, kill: () => void killed.add(`look ${looks}`) };
}

const OURS: JsonObject = { schedulerName: 'default-scheduler' };
const THEIRS: JsonObject = { schedulerName: 'other' };

test.each<[string, JsonObject[], number]>([
  ['nobody waits', [], 0],
  ['who waits is for another scheduler', [THEIRS], 0],
  ['who waits has a gate', [{ ...OURS, schedulingGates: [{ name: 'a' }] }], 0],
  ['someone waits', [THEIRS, OURS], 1],
])('schedules only if needed: %s', async (_, specs, schedules) => {
  const { one, told } = aWorld(specs);
  await one();
  expect(told).toMatchObject({ bindings: [], lookedAt: [], schedules });
});

test('runs again after a minute while pods wait', async () => {
  const { one, told } = aWorld([OURS], false);
  await one();
  expect(told.lookedAt).toEqual([60_000]);
});

test('postpones a run while another holds the lease', async () => {
  const { one, told } = aWorld([OURS]);
  await one(() => one());
  expect(told.schedules).toBe(1);
  expect(told.lookedIn).toEqual([
    [20_000, 'look 1'],
    [5_000, undefined],
  ]);
});

describe('the check message that a run sends before it begins', () => {
  test('has no effect if the run has ended', async () => {
    const { one, told } = aWorld([OURS]);
    await one();
    await one(undefined, ['look 1']);
    expect(told.schedules).toBe(1);
  });

  test('starts another run after 20 seconds if the run was killed', async () => {
    const { one, told, clock, kill } = aWorld([OURS]);
    const killed = new Promise<void>(() => undefined);
    void one(() => killed);
    await settled();
    expect(told.lookedIn).toEqual([[20_000, 'look 1']]);
    kill();
    clock.advance(20_000);
    await one(undefined, ['look 1']);
    expect(told.schedules).toBe(2);
  });
});

test('creates bindings under the lease', async () => {
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
