import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { aPod } from '../testing/pods.ts';
import { killPodNow } from './kill-pod-now.ts';
import type { UpdatePodOptions } from './pod-syncer.ts';

/** Starts a kill. Returns its request and its events. */
function kill(gracePeriod: number) {
  const clock = new ManualClock();
  const events: string[] = [];
  const updates: UpdatePodOptions[] = [];
  const killed = killPodNow(
    {
      clock,
      podWorkers: { updatePod: (update) => void updates.push(update) },
      recorder: { event: (_, type, reason) => void events.push(`${type} ${reason}`) },
    },
    aPod('a'),
    { evict: true, gracePeriod },
  );
  return { clock, events, updates, killed };
}

test('resolves after the containers have stopped', async () => {
  const { updates, killed, events } = kill(30);
  expect(updates).toMatchObject([{ updateType: 'kill', kill: { evict: true, gracePeriod: 30 } }]);
  updates[0]?.kill?.completed?.();
  await killed;
  expect(events).toEqual([]);
});

test.each([
  [30, 45_000],
  [0, 10_000],
])('fails a kill with a grace period of %i s after %i ms', async (gracePeriod, limit) => {
  const { clock, killed, events } = kill(gracePeriod);
  const failed = expect(killed).rejects.toThrow('timeout waiting to kill pod');
  clock.advance(limit - 1);
  await Promise.resolve();
  expect(events).toEqual([]);
  clock.advance(1);
  await failed;
  expect(events).toEqual(['Warning ExceededGracePeriod']);
});
