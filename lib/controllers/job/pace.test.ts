import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { JOBS } from '#lib/api/types/resources.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { Pace } from './pace.ts';

const aJob = (generation: number) => decodedAs(JOBS, { metadata: { uid: 'j', generation } });

test('delays only a reconciliation of the same generation as a recorded one', () => {
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
