import { expect, test } from 'vitest';
import { RUNTIME_CLASSES } from '#lib/api/types/resources.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { listWatch } from '#lib/client/list-watch.ts';
import { World } from '#test/support/controllers/world.ts';
import { eventually } from '#test/support/eventually.ts';
import { RuntimeClassManager } from './runtime-class-manager.ts';

test('returns the handler of a class, the default without one, and rejects an unknown class', async () => {
  const world = new World();
  const options = { handle: world.server.handle, token: world.server.loopbackToken, userAgent: 'kubelet' };
  await apiClient(options).create(RUNTIME_CLASSES, { metadata: { name: 'gvisor' }, handler: 'runsc' });
  const manager = new RuntimeClassManager({
    from: listWatch(options, RUNTIME_CLASSES, ''),
    clock: world.clock,
    random: () => 0,
    onFault: () => undefined,
  });
  expect(() => manager.lookupRuntimeHandler('gvisor')).toThrow('runtimeclass.node.k8s.io "gvisor" not found');
  const ending = new AbortController();
  const running = manager.run(ending.signal);
  await eventually(() => {
    try {
      return manager.lookupRuntimeHandler('gvisor') === 'runsc';
    } catch {
      return false;
    }
  });
  expect(manager.lookupRuntimeHandler(undefined)).toBe('');
  ending.abort();
  await world.close();
  await running;
});
