import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { QueueSettings } from '../configuration.ts';
import { SeatDemand } from '../seat-demand.ts';
import { deal, hashFlow } from '../shuffle-sharding.ts';
import { FlowCounts } from './flow-counts.ts';
import { Ticket } from './queue.ts';
import { QueueSet } from './queue-set.ts';

const QUEUES: QueueSettings = { queues: 16, handSize: 4, lengthLimit: 50 };
const work = (initialSeats = 1, finalSeats = 0, additionalLatency = 0) => ({
  initialSeats,
  finalSeats,
  additionalLatency,
});

class World {
  readonly clock = new ManualClock();
  readonly counts = new FlowCounts();
  readonly set = new QueueSet(this.clock, new SeatDemand(0));

  constructor(queuing: QueueSettings, limit: number) {
    this.set.configure(queuing, limit);
  }

  start(flow = 'a', seats = work(), queuing = QUEUES) {
    const hand = queuing.queues > 0 ? deal(hashFlow('schema', flow), queuing.queues, queuing.handSize) : [0];
    return this.set.start({ counts: this.counts, work: seats, hand });
  }

  /** Starts a request that must not be rejected. */
  ticket(flow = 'a', seats = work()): Ticket {
    const started = this.start(flow, seats);
    if (typeof started === 'string') throw new Error(started);
    return started;
  }
}

interface Load {
  readonly flow: string;
  /** The interval between requests in ms. */
  readonly every: number;
  readonly seats: number;
  readonly serviceTime: number;
  /** Defaults to the dealt hand. */
  readonly hand?: readonly number[];
}

/** Runs loads for `duration` ms. Returns the served seat-milliseconds and the longest wait of each load. */
function simulate(limit: number, loads: readonly Load[], duration: number) {
  const { set, clock, counts } = new World(QUEUES, limit);
  const seen = loads.map(() => ({ served: 0, refused: 0, longest: 0 }));
  let open: { ticket: Ticket; load: number; came: number; ends?: number }[] = [];
  for (let now = 0; now < duration; now++) {
    for (const one of open) if (one.ends !== undefined && one.ends <= now) set.finish(one.ticket);
    open = open.filter(({ ticket }) => ticket.state !== 'finished');
    loads.forEach(({ flow, every, seats, hand = deal(hashFlow('s', flow), 16, 4) }, load) => {
      for (let i = 0; i < (every < 1 ? 1 / every : now % every === 0 ? 1 : 0); i++) {
        const started = set.start({ counts, work: work(seats), hand });
        if (typeof started === 'string') seen[load]!.refused++;
        else open.push({ ticket: started, load, came: now });
      }
    });
    for (const one of open) {
      const { serviceTime } = loads[one.load] as Load;
      if (one.ticket.state !== 'executing' || one.ends !== undefined) continue;
      one.ends = now + serviceTime;
      seen[one.load]!.served += one.ticket.seats * serviceTime;
    }
    for (const { ticket, load, came } of open)
      if (ticket.state === 'waiting') seen[load]!.longest = Math.max(seen[load]!.longest, now - came);
    clock.advance(1);
  }
  return seen;
}

describe('fairness in a simulation', () => {
  const noisy = (flow: string, seats = 1): Load => ({ flow, every: 0.2, seats, serviceTime: 10 });
  const quiet: Load = { flow: 'quiet', every: 50, seats: 1, serviceTime: 10 };

  test.each<[string, number, Load[], number, number]>([
    ['one noisy flow', 10, [noisy('n1')], 15, 0.97],
    ['two noisy flows', 10, [noisy('n1'), noisy('n2')], 15, 0.97],
    ['a noisy flow of wide requests', 10, [noisy('n1', 5)], 25, 0.9],
    ['a noisy flow with a single seat', 1, [noisy('n1')], 60, 0.97],
  ])('serves a quiet flow next to %s', (_, limit, loads, longest, busy) => {
    const seen = simulate(limit, [quiet, ...loads], 1500);
    expect(seen[0]).toMatchObject({ refused: 0, served: 300 });
    expect(seen[0]?.longest).toBeLessThanOrEqual(longest);
    expect(seen[1]?.refused).toBeGreaterThan(0);
    const all = seen.reduce((sum, { served }) => sum + served, 0);
    expect(all).toBeGreaterThan(busy * limit * 1500); // seats are idle only until a wide request fits
  });

  test('delays a quiet flow that shares its queues with a noisy one', () => {
    const seen = simulate(1, [{ ...quiet, flow: 'n1' }, noisy('n1')], 1500);
    expect((seen[0]?.refused ?? 0) + (seen[0]?.longest ?? 0)).toBeGreaterThan(100);
  });

  test.each([
    ['wide and narrow requests', noisy('n1', 5), noisy('n4', 1)],
    ['long and short requests', { ...noisy('n1'), serviceTime: 40 }, noisy('n4')],
  ])('gives flows equal seats over time with %s', (_, one, other) => {
    const [a, b] = simulate(
      10,
      [
        { ...one, hand: [0, 1] },
        { ...other, hand: [2, 3] },
      ],
      2000,
    );
    expect((a?.served ?? 0) / (b?.served ?? 1)).toBeGreaterThan(0.8);
    expect((a?.served ?? 0) / (b?.served ?? 1)).toBeLessThan(1.25);
  });
});

describe('the life of a request', () => {
  test('gets its seats at once if any are free', () => {
    const { set, counts, clock } = new World(QUEUES, 1);
    const started = set.start({ counts, work: work(), hand: [0, 1] });
    expect(started).toMatchObject({ state: 'executing' });
    expect(counts).toMatchObject({ executing: 1, executingSeats: 1, dispatched: 1, waiting: 0 });
    expect(clock.monotonic()).toBe(0);
  });

  test('waits if no seat is free, and starts after one becomes free', async () => {
    const world = new World(QUEUES, 1);
    const [first, second] = [world.ticket(), world.ticket()];
    expect(second.state).toBe('waiting');
    const decided = second.decided();
    world.set.finish(first);
    expect(await decided).toBe(true);
    expect(world.counts).toMatchObject({ executing: 1, waiting: 0 });
  });

  test('leaves its queue without seats after a cancel', async () => {
    const world = new World(QUEUES, 1);
    const [first, second] = [world.ticket(), world.ticket()];
    const decided = second.decided();
    world.set.cancel(second);
    expect(await decided).toBe(false);
    world.set.finish(second);
    world.set.cancel(second);
    world.set.cancel(first);
    expect(world.counts).toMatchObject({ executing: 1, waiting: 0, rejected: { 'time-out': 1 } });
    world.set.finish(first);
    world.set.finish(first);
    expect([world.set.seatsInUse, world.set.isIdle]).toEqual([0, true]);
  });

  test('is rejected if its queues are full', () => {
    const full = { queues: 4, handSize: 2, lengthLimit: 3 };
    const world = new World(full, 1);
    const started = Array.from({ length: 9 }, () =>
      world.set.start({ counts: world.counts, work: work(), hand: [0, 1] }),
    );
    expect(started.filter((one) => one === 'queue-full')).toHaveLength(2);
    expect(world.counts).toMatchObject({ executing: 1, waiting: 6, rejected: { 'queue-full': 2 } });
  });

  test('is rejected at once if no queues exist', () => {
    const world = new World({ queues: 0, handSize: 0, lengthLimit: 0 }, 2);
    const started = Array.from({ length: 3 }, () => world.set.start({ counts: world.counts, work: work(), hand: [0] }));
    expect(started[2]).toBe('concurrency-limit');
    for (const one of started) if (one instanceof Ticket) world.set.finish(one);
    expect(world.set.seatsInUse).toBe(0);
  });

  test('always starts in an exempt level', () => {
    const world = new World({ queues: -1, handSize: 0, lengthLimit: 0 }, 0);
    const started = Array.from({ length: 1000 }, () =>
      world.set.start({ counts: world.counts, work: work(10), hand: [0] }),
    );
    expect(started.every((one) => one instanceof Ticket && one.state === 'executing')).toBe(true);
    expect(world.set.seatsInUse).toBe(10_000);
  });

  test('runs alone if it needs more seats than the limit', () => {
    const world = new World(QUEUES, 3);
    const [narrow, wide, next] = [world.ticket('a'), world.ticket('b', work(5)), world.ticket('c')];
    expect([narrow, wide, next].map(({ state }) => state)).toEqual(['executing', 'waiting', 'executing']);
    world.set.finish(narrow);
    expect(wide.state).toBe('waiting');
    world.set.finish(next);
    expect(wide.state).toBe('executing');
  });

  test('keeps its final seats after its end, and fewer for longer if the limit is lower', async () => {
    const world = new World(QUEUES, 4);
    const ticket = world.ticket('a', work(1, 8, 5));
    world.set.finish(ticket);
    expect(world.set.seatsInUse).toBe(8);
    world.clock.advance(9);
    await Promise.resolve();
    expect(world.set.seatsInUse).toBe(8);
    world.clock.advance(1);
    await Promise.resolve();
    expect([world.set.seatsInUse, world.counts.executingSeats]).toEqual([0, 0]);
  });
});

type Step =
  | { readonly do: 'start'; readonly flow: number; readonly seats: number; readonly final: number }
  | { readonly do: 'finish' | 'cancel'; readonly which: number }
  | { readonly do: 'pass'; readonly time: number }
  | { readonly do: 'configure'; readonly queues: number; readonly limit: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('start' as const),
        flow: fc.nat(5),
        seats: fc.integer({ min: 1, max: 6 }),
        final: fc.nat(6),
      }),
    },
    { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('finish' as const, 'cancel' as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), time: fc.integer({ min: 1, max: 9 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('configure' as const),
        queues: fc.integer({ min: 4, max: 16 }),
        limit: fc.integer({ min: 0, max: 9 }),
      }),
    },
  ),
  { maxLength: 60 },
);

test('never frees seats twice, and never leaves all seats idle while a request waits', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken: readonly Step[]) => {
      const world = new World(QUEUES, 4);
      let queuing = QUEUES;
      let limit = 4;
      const tickets: Ticket[] = [];
      const count = (state: Ticket['state']) => tickets.filter((one) => one.state === state);
      for (const step of taken) {
        if (step.do === 'start') {
          const started = world.start(`flow-${step.flow}`, work(step.seats, step.final, step.final), queuing);
          if (started instanceof Ticket) tickets.push(started);
        } else if (step.do === 'pass') world.clock.advance(step.time);
        else if (step.do === 'configure') {
          limit = step.limit;
          queuing = { ...QUEUES, queues: step.queues };
          world.set.configure(queuing, limit);
        } else {
          const ticket = tickets[step.which % Math.max(1, tickets.length)];
          if (ticket !== undefined) world.set[step.do](ticket);
        }
        await Promise.resolve();
        const [waiting, executing] = [count('waiting'), count('executing')];
        expect([world.set.waiting, world.set.executing]).toEqual([waiting.length, executing.length]);
        expect(world.counts).toMatchObject({ waiting: waiting.length, executing: executing.length });
        expect(world.set.seatsInUse).toBeGreaterThanOrEqual(executing.reduce((sum, { seats }) => sum + seats, 0));
        if (limit > 0 && waiting.length > 0) expect(world.set.seatsInUse).toBeGreaterThan(0);
      }
      world.set.configure(queuing, 1);
      for (const ticket of tickets) world.set.cancel(ticket);
      for (const ticket of tickets) world.set.finish(ticket);
      world.clock.advance(1000);
      await Promise.resolve();
      expect([world.set.seatsInUse, world.set.isIdle]).toEqual([0, true]);
      expect(world.counts).toMatchObject({ waiting: 0, waitingSeats: 0, executing: 0, executingSeats: 0 });
    }),
    { numRuns: 100 },
  );
});
