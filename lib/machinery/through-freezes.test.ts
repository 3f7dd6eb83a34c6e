import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { throughFreezes } from './through-freezes.ts';

/** The elapsed time in ms that the clock reports after each event. */
function passed(...happens: readonly ((clock: ManualClock) => void)[]): readonly number[] {
  const manual = new ManualClock();
  const clock = throughFreezes(manual);
  const start = clock.monotonic();
  return happens.map((happen) => {
    happen(manual);
    return clock.monotonic() - start;
  });
}

const runs = (milliseconds: number) => (clock: ManualClock) => clock.advance(milliseconds);
/** Stops the monotonic clock. */
const freezes = (milliseconds: number) => (clock: ManualClock) => clock.jump(milliseconds);

test('advances while the process runs and while it is frozen', () => {
  expect(passed(runs(500), freezes(60_000), runs(2000), freezes(10))).toEqual([500, 60_500, 62_500, 62_510]);
});

test('does not fall back with the wall clock, and counts later freezes fully', () => {
  expect(passed(runs(1000), freezes(-3_600_000), runs(1000), freezes(60_000))).toEqual([1000, 1000, 2000, 62_000]);
});

test('adds no time for a wall clock with millisecond resolution', () => {
  let real = 0.9;
  const clock = throughFreezes({
    now: () => Math.floor(real),
    monotonic: () => real,
    sleep: () => Promise.resolve(),
  });
  const start = clock.monotonic();
  for (let i = 0; i < 10_000; i++) {
    real += 0.3;
    clock.monotonic();
  }
  expect(clock.monotonic() - start).toBeCloseTo(3000, -1);
});

test('counts a freeze once for a clock that continues through it', () => {
  expect(passed(runs(60_000), runs(1))).toEqual([60_000, 60_001]);
});
