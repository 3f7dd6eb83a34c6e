import { expect, test } from 'vitest';
import { ManualClock } from '../memory/manual-clock.ts';
import { Proof } from './proof.ts';

const RETENTION = 3_600_000;

test.each<[string, (clock: ManualClock) => void]>([
  ['half the retention passed', (clock) => clock.advance(RETENTION / 2 + 1)],
  ['the wall clock alone was set ahead, as after a freeze', (clock) => clock.jump(RETENTION)],
  ['the wall clock was set back', (clock) => clock.jump(-RETENTION)],
])('no longer trusts the proof after %s', (_, change) => {
  const clock = new ManualClock();
  const proof = new Proof(clock, RETENTION);
  proof.record(7, proof.now());
  expect([proof.isYoung(8), proof.age()]).toEqual([true, 0]);
  change(clock);
  expect(proof.isYoung(8)).toBe(false);
  expect(proof.age()).toBeGreaterThan(RETENTION / 2);
});
