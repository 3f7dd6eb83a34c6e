import { expect, test } from 'vitest';
import type { NodeWatchResourcesResponse } from '#lib/node/kubelet-api/generated/dra-health-v1alpha1.ts';
import { StepClock } from '../../testing/step-clock.ts';
import { DeviceHealths } from './health.ts';
import { watchHealth } from './watch-health.ts';

const report = (health: 1 | 2): NodeWatchResourcesResponse => ({
  devices: [
    {
      device: { poolName: 'pool', deviceName: 'dev' },
      health,
      lastUpdatedTime: 0,
      healthCheckTimeoutSeconds: 0,
      message: '',
    },
  ],
});

test('notifies pods of devices whose health changed, across streams that end', async () => {
  const stop = new AbortController();
  const clock = new StepClock((sleeps) => (sleeps === 2 ? stop.abort() : undefined));
  const healths = new DeviceHealths({ monotonic: () => 0 });
  const told: string[] = [];
  const seen: string[] = [];
  let streams = 0;
  await watchHealth(
    {
      driverName: 'drv',
      clock,
      healths,
      client: {
        nodeWatchResources: async function* () {
          streams += 1;
          yield report(1);
          seen.push(healths.get('drv', 'pool', 'dev').health);
          if (streams === 2) throw new Error('broken');
          yield report(1);
          yield report(2);
          seen.push(healths.get('drv', 'pool', 'dev').health);
        },
      },
      podsWithDevice: () => ['a', 'a'],
      podsChanged: (uids) => told.push(uids.join()),
      onFault: (error) => told.push(String(error)),
    },
    stop.signal,
  );
  expect(told).toEqual(['a', 'a', 'a', 'Error: broken']);
  expect(seen).toEqual(['Healthy', 'Unhealthy', 'Healthy']);
  expect(healths.get('drv', 'pool', 'dev').health).toBe('Unknown');
  expect(clock.sleeps).toEqual([5000, 5000]);
});
