import { expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import { aPod } from '../testing/pods.ts';
import { NO_OPTIONS, someHelper } from '../testing/runtime-config.ts';
import { aNodeRuntime } from '../testing/runtime-ports.ts';
import { RuntimeManager } from './runtime-manager.ts';

test("provides containers on the host's network with the node's addresses, even in a new sandbox", async () => {
  const clock = new EventClock();
  const seen: (readonly string[])[] = [];
  const helper = someHelper({
    runContainerOptions: async (_, __, podIPs) => {
      seen.push(podIPs);
      return { options: NO_OPTIONS, cleanup: async () => undefined };
    },
  });
  const manager = new RuntimeManager(aNodeRuntime(clock, { helper }).process().ports);
  const pod = aPod('web', { spec: { hostNetwork: true } });
  const status = await manager.podStatus('uid-web', 'web', 'default');
  await clock.runUntil(manager.syncPod(pod, { ...status, ips: ['192.0.2.7'] }, { pullSecrets: [] }));
  expect(seen).toEqual([['192.0.2.7']]);
});
