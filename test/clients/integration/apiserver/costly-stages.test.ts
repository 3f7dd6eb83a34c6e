import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { type CostlyStage, PREPARED, type Shape, STAGES } from './costly-stages.ts';
import type { Sent } from './front-door.ts';
import { coreInProcess, request } from './in-process.ts';

/** Limits of processor time in ms: per request, per byte of it, and per piece of work without a pause. */
const MOST = { request: 20, byte: 0.002, piece: 100 };
/** The maximum growth for a request of twice the size. Below the floor, in milliseconds, noise dominates. */
const GROWTH = { most: 2.5, floor: 40 };
/** How many variations of the largest shape are tried, and how often the worst one is measured. */
const TRIALS = 12;
const ROUNDS = 4;
const SEED = 20_261_129;

let core: Awaited<ReturnType<typeof coreInProcess>>;
beforeAll(async () => {
  core = await coreInProcess();
  for (const sent of PREPARED) expect((await costOf(sent)).status).toBeLessThan(300);
});
afterAll(() => core.close());

interface Cost {
  readonly status: number;
  readonly bytes: number;
  readonly all: number;
  readonly piece: number;
}

const sizeOf = ({ body, path, headers }: Sent): number =>
  path.length +
  JSON.stringify(headers ?? {}).length +
  (typeof body === 'string' ? body : JSON.stringify(body ?? '')).length;

async function costOf(sent: Sent): Promise<Cost> {
  let piece = 0;
  const begun = processorTime();
  let before = begun;
  const turn = async (): Promise<void> => {
    piece = Math.max(piece, processorTime() - before);
    before = processorTime();
  };
  const { status, body } = await core.handle({ ...request(sent, new AbortController().signal), turn });
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) for await (const _ of body);
  await turn();
  return { status, bytes: sizeOf(sent), all: before - begun, piece };
}

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Measures several rounds, because other tests run concurrently, and uses the minimum. Stops at a round within the limits. */
async function leastCost(sent: Sent): Promise<Cost> {
  let least = await costOf(sent);
  for (let round = 1; round < ROUNDS && !isWithin(least); round++) {
    const cost = await costOf(sent);
    least = { ...cost, all: Math.min(cost.all, least.all), piece: Math.min(cost.piece, least.piece) };
  }
  return least;
}

const bound = ({ bytes }: Cost): number => MOST.request + MOST.byte * bytes;
const isWithin = (cost: Cost): boolean => cost.all <= bound(cost) && cost.piece <= MOST.piece;

/** Numbers in [0, 1) that a seed determines (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const half = (shape: Shape): Shape => ({ ...shape, count: Math.ceil(shape.count / 2) });

/** A variation of a shape. Each parameter stays or is drawn anew, and small values are as likely as large ones. */
function mutated(shape: Shape, most: Shape, draw: () => number): Shape {
  const drawn = (now: number, top: number): number => (draw() < 0.5 ? now : Math.max(1, Math.round(top ** draw())));
  return {
    count: drawn(shape.count, most.count),
    length: drawn(shape.length, most.length),
    distinct: drawn(shape.distinct, most.distinct),
  };
}

const MAX_BODY = 3 * 1024 * 1024;

/** Searches from the largest shape for the one near the limit with the highest cost per request. */
async function worstShape({ make, most }: CostlyStage): Promise<Shape> {
  const draw = random(SEED);
  let worst = {
    shape: { ...most, length: Math.max(1, Math.min(most.length, Math.floor(MAX_BODY / 2 / most.count))) },
    ratio: 0,
  };
  for (let trial = 0; trial < TRIALS; trial++) {
    const shape = trial === 0 ? worst.shape : mutated(worst.shape, most, draw);
    const sent = make(shape);
    if (sizeOf(sent) > MAX_BODY) continue;
    const cost = await costOf(sent);
    const ratio = Math.max(cost.all / bound(cost), cost.piece / MOST.piece);
    if (ratio > worst.ratio) worst = { shape, ratio };
  }
  return worst.shape;
}

/** A shape small enough for CI. */
const SMALL = { count: 3000, length: 30 };

test.each(STAGES)('a request that is made to be slow takes its time at most: $what', async ({ make, most, pauses }) => {
  const shape = {
    count: Math.min(most.count, SMALL.count),
    length: Math.min(most.length, SMALL.length),
    distinct: most.distinct,
  };
  const cost = await leastCost(make(shape));
  expect(cost.all).toBeLessThan(bound(cost));
  if (pauses) expect(cost.piece).toBeLessThan(MOST.piece);
});

describe(
  'a search for slow requests',
  skipUnless(process.env['DAVIT_FULL'] !== undefined, 'runs with DAVIT_FULL=1'),
  () => {
    test.each(STAGES)('finds none that exceeds the limits: $what', async (stage) => {
      const shape = await worstShape(stage);
      const cost = await leastCost(stage.make(shape));
      expect({ shape, status: cost.status, isOver: cost.all > bound(cost), piece: cost.piece }).toMatchObject({
        isOver: false,
      });
      expect({ shape, piece: !stage.pauses || cost.piece <= MOST.piece, took: cost.piece }).toMatchObject({
        piece: true,
      });
      const before = await leastCost(stage.make(half(shape)));
      const growth = cost.all / Math.max(before.all, GROWTH.floor / 2);
      expect({ shape, before: before.all, after: cost.all, isSteep: growth > GROWTH.most }).toMatchObject({
        isSteep: false,
      });
    });
  },
);
