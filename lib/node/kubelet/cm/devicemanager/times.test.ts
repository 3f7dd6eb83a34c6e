import { expect, test } from 'vitest';
import { settled } from '#test/support/settled.ts';
import { StatusTrigger } from '../../nodestatus/status-trigger.ts';
import { aContainer, aDevice, devices, FakePlugin, ManagerFixture, podOf } from './testing.ts';

const GPU = 'example.com/gpu';

test("reports a device that becomes unhealthy in the node's next report, 100 ms later", async () => {
  const trigger = new StatusTrigger();
  const fixture = new ManagerFixture({ capacityChanged: () => trigger.trigger() });
  await fixture.plugin(GPU, devices(2));
  const reported: unknown[] = [];
  const report = async (): Promise<void> => {
    await trigger.wait(fixture.clock, 10_000, new AbortController().signal);
    reported.push(fixture.manager.getCapacity().allocatable);
  };
  const first = report();
  await settled();
  fixture.clock.advance(100);
  await first;
  const second = report();
  await fixture.manager.pluginListAndWatch(GPU, [aDevice('dev1', undefined, 'Unhealthy'), aDevice('dev2')]);
  await settled();
  fixture.clock.advance(99);
  await settled();
  expect(reported).toEqual([{ [GPU]: 2 }]);
  fixture.clock.advance(1);
  await second;
  expect(reported).toEqual([{ [GPU]: 2 }, { [GPU]: 1 }]);
});

test('gives a plugin 30 seconds for Allocate and for the start of a container', async () => {
  const fixture = new ManagerFixture();
  const plugin = await fixture.plugin(GPU, devices(1), new FakePlugin({ preStartRequired: true }));
  const app = aContainer('app', { [GPU]: 1 });
  const pod = podOf('p', [app]);
  await fixture.admit(pod);
  await fixture.manager.getDeviceRunContainerOptions(pod, app);
  expect(plugin.timeouts).toEqual([30_000, 30_000]);
});
