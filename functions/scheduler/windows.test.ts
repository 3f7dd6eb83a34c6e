import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { scheduleOnce } from './look.ts';
import { looksToCheck, wordText } from './words.ts';

const SECOND = 1_000;
const WINDOW = 2 * SECOND;
const BATCH = 1_000;
const AT_ONCE = 2;
const refuse = (): Promise<never> => Promise.reject(new Error('not asked for'));

interface Message {
  readonly body: string;
  readonly due: number;
}

/**
 * A queue with a batching window, the function that consumes it, and pods that wait until a run places them. A run takes this many
 * milliseconds.
 */
class World {
  readonly clock = new ManualClock();
  waiting = 0;
  looks = 0;
  invocations = 0;
  #queue: Message[] = [];
  #running = 0;
  #lease: JsonObject | undefined;
  readonly #lasting: number;

  constructor(lasting: number) {
    this.#lasting = lasting;
  }

  create(pods: number): void {
    this.waiting += pods;
    for (let i = 0; i < pods; i++) this.#queue.push({ body: '{"kind":"Pod"}', due: this.clock.now() });
  }

  /** Advances the clock by one second. */
  async pass(): Promise<void> {
    const due = this.#queue.filter((message) => message.due <= this.clock.now());
    const isFull = due.length >= BATCH || this.clock.now() - (due[0]?.due ?? Number.POSITIVE_INFINITY) >= WINDOW;
    if (isFull && this.#running < AT_ONCE) {
      const batch = due.slice(0, BATCH);
      this.#queue = this.#queue.filter((message) => !batch.includes(message));
      void this.#invoke({ Records: batch });
    }
    await settled();
    this.clock.advance(SECOND);
    await settled();
  }

  async #invoke(event: { Records: readonly Message[] }): Promise<void> {
    this.#running++;
    const { clock } = this;
    const identity = `look ${++this.invocations}`;
    await scheduleOnce({
      client: this.#client(),
      clock,
      identity,
      schedulerNames: new Set(['default-scheduler']),
      ...defined({ after: looksToCheck(event) }),
      schedule: async () => {
        this.looks++;
        const placed = this.waiting;
        await clock.sleep(this.#lasting);
        this.waiting -= placed;
        return true;
      },
      lookIn: async (milliseconds, after) =>
        void this.#queue.push({ body: wordText(after, identity), due: clock.now() + milliseconds }),
      lookAt: refuse,
      reportFault: (error) => {
        throw error;
      },
    });
    this.#running--;
  }

  #client(): Client {
    const pods = [{ spec: { schedulerName: 'default-scheduler' } }];
    return {
      list: async () => (this.waiting > 0 ? pods : []),
      get: async () => this.#lease,
      create: async (_, object) => (this.#lease = object),
      update: async (_, object) => (this.#lease = object),
      patch: refuse,
      apply: refuse,
      delete: refuse,
      document: refuse,
    };
  }
}

test.each([
  ['300 pods at once', { pods: 300, seconds: 1, lasting: 4 * SECOND }, { looks: 1, invocations: 2 }],
  ['300 pods in ten seconds', { pods: 30, seconds: 10, lasting: 4 * SECOND }, { looks: 3, invocations: 7 }],
  ['5,000 pods at once', { pods: 5_000, seconds: 1, lasting: 20 * SECOND }, { looks: 1, invocations: 11 }],
])('places %s in the expected number of runs and invocations', async (_, { pods, seconds, lasting }, counted) => {
  const world = new World(lasting);
  for (let second = 0; second < 120; second++) {
    if (second < seconds) world.create(pods);
    await world.pass();
  }
  expect(world.waiting).toBe(0);
  expect({ looks: world.looks, invocations: world.invocations }).toEqual(counted);
});
