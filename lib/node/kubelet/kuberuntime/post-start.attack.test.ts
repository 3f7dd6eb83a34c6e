import { expect, test } from 'vitest';
import { EventClock } from '#test/support/event-clock.ts';
import { aPod } from '../testing/pods.ts';
import { aNodeRuntime } from '../testing/runtime-ports.ts';
import { RuntimeManager } from './runtime-manager.ts';

test('terminates a pod whose PostStart hook never ends', async () => {
  const clock = new EventClock();
  const ending = new AbortController();
  const never = Promise.withResolvers<void>().promise;
  const run = (): Promise<void> => {
    queueMicrotask(() => ending.abort());
    return never;
  };
  const node = aNodeRuntime(clock, { hooks: { run } });
  const manager = new RuntimeManager(node.process().ports);
  const lifecycle = { postStart: { exec: { command: ['sleep', 'infinity'] } } };
  const pod = aPod('web', { spec: { containers: [{ name: 'app', image: 'i', resources: {}, lifecycle }] } });
  const status = await manager.podStatus('uid-web', 'web', 'default');
  const sync = manager.syncPod(pod, status, { pullSecrets: [], signal: ending.signal });
  const { results } = await clock.runUntil(sync);
  expect(results.at(-1)?.error).toMatchObject({ reason: 'PostStartHookError', message: 'context canceled' });
  expect(node.events.at(-1)).toBe('Warning FailedPostStartHook spec.containers{app}: PostStartHook failed');
  const [running] = await manager.pods(false);
  await clock.runUntil(manager.killPod(pod, running ?? { ...status, createdAt: 0, containers: [], sandboxes: [] }, 1));
  expect(node.fake.containers.running()).toEqual([]);
});
