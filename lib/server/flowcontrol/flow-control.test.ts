import { describe, expect, test } from 'vitest';
import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from '#lib/api/types/flowcontrol.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { expose } from '#lib/machinery/metrics/text.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { BOOTSTRAP_LEVELS, BOOTSTRAP_SCHEMAS, type BootstrapObject } from './bootstrap/default.ts';
import { type Configuration, configurationOf, levelOf, schemaOf } from './configuration.ts';
import { type AdmittedRequest, FlowControl, type RejectedRequest } from './flow-control.ts';

const stored = <S extends JsonObject>({ name, spec }: BootstrapObject<S>) => ({
  metadata: { name, uid: `uid-${name}` },
  spec,
});
const DEFAULT = configurationOf(
  BOOTSTRAP_SCHEMAS.map((one) => schemaOf(stored(one))),
  BOOTSTRAP_LEVELS.map((one) => levelOf(stored(one))),
);
const NEVER = new AbortController().signal;

class World {
  readonly clock = new ManualClock();
  configuration: Configuration;
  readonly flowControl: FlowControl;

  constructor(concurrency: number, configuration = DEFAULT) {
    this.configuration = configuration;
    this.flowControl = new FlowControl({
      clock: this.clock,
      concurrency,
      configuration: async () => this.configuration,
      stats: () => undefined,
    });
  }

  ask(
    name: string,
    groups: readonly string[] = ['system:authenticated'],
    gone = NEVER,
  ): Promise<AdmittedRequest | RejectedRequest> {
    const info = {
      isResourceRequest: true,
      path: '',
      verb: 'get',
      group: '',
      namespace: 'a',
      resource: 'pods',
      subresource: '',
      name: 'x',
    };
    return this.flowControl.admit({
      user: { name, groups },
      info,
      query: new URLSearchParams(),
      patience: 15_000,
      gone: () => gone,
    });
  }

  /** The value of a /metrics line. */
  async metric(line: string): Promise<number | undefined> {
    const text = await expose([this.flowControl]);
    const found = text.split('\n').find((one) => one.startsWith(`apiserver_flowcontrol_${line} `));
    return found === undefined ? undefined : Number(found.split(' ').at(-1));
  }

  async limits(name: string): Promise<Record<string, number | undefined>> {
    const levels = this.configuration.levels.map((level) => level.name);
    const values = levels.map(async (level) => [level, await this.metric(`${name}{priority_level="${level}"}`)]);
    return Object.fromEntries(await Promise.all(values));
  }
}

/** Runs pending promise callbacks. */
describe('limits of priority levels', () => {
  test('match upstream on a server with a single administrator', async () => {
    const world = new World(600);
    const admitted = await world.ask('root', ['system:masters']);
    expect(admitted.flow).toEqual({ schemaUid: 'uid-exempt', levelUid: 'uid-exempt' });
    world.clock.advance(10_000);
    expect(await world.limits('nominal_limit_seats')).toEqual({
      'catch-all': 13,
      exempt: 0,
      'global-default': 49,
      'leader-election': 25,
      'node-high': 98,
      system: 74,
      'workload-high': 98,
      'workload-low': 245,
    });
    expect(await world.limits('lower_limit_seats')).toMatchObject({ 'workload-low': 24, 'node-high': 73, system: 50 });
    expect(await world.limits('current_limit_seats')).toEqual({
      'catch-all': 30,
      exempt: 1,
      'global-default': 56,
      'leader-election': 58,
      'node-high': 170,
      system: 117,
      'workload-high': 114,
      'workload-low': 56,
    });
  });

  test('follow demand every ten seconds and return lent seats', async () => {
    const world = new World(600);
    const busy = await Promise.all(
      Array.from({ length: 56 }, (_, i) => world.ask(`system:serviceaccount:a:${i}`, ['system:serviceaccounts'])),
    );
    const before = await world.limits('current_limit_seats');
    world.clock.advance(10_000);
    const after = await world.limits('current_limit_seats');
    expect([before['workload-low'], after['workload-low']]).toEqual([56, 116]);
    expect(after['node-high']).toBeLessThan(170);
    for (const one of busy) if ('finish' in one) one.finish();
    world.clock.advance(3_600_000);
    await world.ask('ada');
    world.clock.advance(3_600_000);
    expect((await world.limits('current_limit_seats'))['workload-low']).toBe(56);
  });
});

describe('a request that waits', () => {
  /** Two seats for the catch-all level, which has a single queue. */
  const level = (lengthLimit: number) =>
    levelOf({
      metadata: { name: 'catch-all', uid: 'l' },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 5,
          limitResponse: { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: lengthLimit } },
        },
      },
    });
  const small = (lengthLimit = 5) => new World(2, configurationOf([], [level(lengthLimit)]));
  const full = async (lengthLimit?: number) => {
    const world = small(lengthLimit);
    return { world, held: [await world.ask('a'), await world.ask('b')] as AdmittedRequest[] };
  };
  const QUEUED = 'current_inqueue_requests{priority_level="catch-all",flow_schema="catch-all"}';
  const REJECTED = 'rejected_requests_total{priority_level="catch-all",flow_schema="catch-all",reason=';

  test('is admitted after a seat becomes free', async () => {
    const { world, held } = await full();
    const next = world.ask('c');
    await settled();
    expect(await world.metric(QUEUED)).toBe(1);
    held[0]?.finish();
    held[0]?.finish();
    expect(await next).toHaveProperty('finish');
    expect(await world.metric(QUEUED)).toBe(0);
    expect(await world.metric('current_executing_seats{priority_level="catch-all",flow_schema="catch-all"}')).toBe(2);
  });

  test('is rejected after its wait limit and leaves its queue', async () => {
    const { world, held } = await full();
    const next = world.ask('c');
    await settled();
    world.clock.advance(14_999);
    await settled();
    expect(await world.metric(QUEUED)).toBe(1);
    world.clock.advance(1);
    expect(await next).toEqual({ flow: { schemaUid: '', levelUid: 'l' }, retryAfter: 1 });
    expect([await world.metric(QUEUED), await world.metric(`${REJECTED}"time-out"}`)]).toEqual([0, 1]);
    for (const one of held) one.finish();
    expect(await world.ask('d')).toHaveProperty('finish');
  });

  test('gets a seat that its level lent out within ten seconds, even without other requests', async () => {
    const world = new World(3);
    const next = world.ask('ada');
    await settled();
    expect((await world.limits('current_limit_seats'))['global-default']).toBe(0);
    world.clock.advance(10_000);
    expect(await next).toHaveProperty('finish');
  });

  test('leaves its queue after its client disconnects', async () => {
    const { world } = await full();
    const gone = new AbortController();
    const next = world.ask('c', undefined, gone.signal);
    await settled();
    gone.abort('gone');
    expect(await next).toHaveProperty('retryAfter');
    expect(await world.metric(QUEUED)).toBe(0);
  });

  test('is rejected if the queue is full, with longer advice after more rejections', async () => {
    const { world } = await full(0);
    const advice: number[] = [];
    for (let second = 0; second < 4; second++) {
      for (let i = 0; i < 9; i++) {
        const refused = await world.ask('c');
        advice[second] = 'retryAfter' in refused ? refused.retryAfter : 0;
      }
      world.clock.advance(1000);
    }
    expect(advice).toEqual([1, 2, 2, 4]);
    expect(await world.metric(`${REJECTED}"queue-full"}`)).toBe(36);
  });

  test('is never exempt, and uses the catch-all schema if no other schema matches', async () => {
    const { world } = await full(0);
    for (let i = 0; i < 100; i++) expect(await world.ask('root', ['system:masters'])).toHaveProperty('finish');
    expect(await world.ask('nobody', [])).toHaveProperty('retryAfter');
  });

  test('is admitted after a configuration change, even if its level was removed', async () => {
    const own = levelOf({
      metadata: { name: 'own', uid: 'o' },
      spec: stored(BOOTSTRAP_LEVELS[2] as BootstrapObject<PriorityLevelConfigurationSpec>).spec,
    });
    const everyone = BOOTSTRAP_SCHEMAS.at(-1) as BootstrapObject<FlowSchemaSpec>;
    const schema = { ...schemaOf(stored(everyone)), name: 'mine', level: 'own', precedence: 5 };
    const world = new World(1, configurationOf([schema], [own]));
    const held = (await world.ask('a')) as AdmittedRequest;
    const next = world.ask('b');
    await settled();
    world.configuration = configurationOf([], []);
    expect((await world.ask('c')).flow.levelUid).toBe('');
    expect(await world.metric('nominal_limit_seats{priority_level="own"}')).toBe(1);
    held.finish();
    const admitted = (await next) as AdmittedRequest;
    expect(admitted.flow.levelUid).toBe('o');
    admitted.finish();
    world.clock.advance(10_000);
    expect(await world.metric('nominal_limit_seats{priority_level="own"}')).toBeUndefined();
  });
});
