import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { Pace } from './pace.ts';

const aJob = (generation: number) => ({ metadata: { uid: 'j', generation } });

test('a turn that was noted holds up the next of its generation, and no other', () => {
  const clock = new ManualClock();
  const pace = new Pace(clock);
  expect(pace.before(aJob(1))).toBe(0);
  pace.note(aJob(1));
  clock.advance(400);
  expect([pace.before(aJob(1)), pace.before(aJob(2))]).toEqual([600, 0]);
  clock.advance(600);
  expect(pace.before(aJob(1))).toBe(0);
  pace.note(aJob(1));
  pace.forget('j');
  expect(pace.before(aJob(1))).toBe(0);
});
