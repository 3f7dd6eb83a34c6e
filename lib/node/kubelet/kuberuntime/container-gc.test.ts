import { describe, expect, test } from 'vitest';
import { ContainerState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { EventClock } from '#test/support/event-clock.ts';
import type { GarbageCollectOptions } from '../container/runtime.ts';
import { aPod } from '../testing/pods.ts';
import { aNodeRuntime } from '../testing/runtime-ports.ts';
import { RuntimeManager } from './runtime-manager.ts';

const POLICY: GarbageCollectOptions = {
  allSourcesReady: true,
  evictTerminated: false,
  minAge: 0,
  maxPerPodContainer: 1,
  maxContainers: -1,
};

/** A node with `attempts` dead attempts of container `app` for each pod. */
async function aNode(attempts: Record<string, number>) {
  const clock = new EventClock();
  const node = aNodeRuntime(clock);
  const { containers: world } = node.fake;
  const manager = new RuntimeManager(node.process().ports);
  world.script('app', { runsFor: 0, exitCode: 1 });
  const most = Math.max(...Object.values(attempts));
  for (let attempt = 0; attempt < most; attempt += 1)
    for (const [name, count] of Object.entries(attempts)) {
      if (attempt >= count) continue;
      const status = await manager.podStatus(`uid-${name}`, name, 'default');
      await manager.syncPod(aPod(name), status, { pullSecrets: [] });
      await clock.runUntil(clock.sleep(301_000));
    }
  const left = (): string[] =>
    [...world.containers.values()]
      .map(({ config, sandbox }) => `${sandbox.config.metadata?.name} ${config.metadata?.attempt}`)
      .sort();
  world.settle();
  const collect = (policy: Partial<GarbageCollectOptions> = {}) => manager.garbageCollect({ ...POLICY, ...policy });
  return { ...node, manager, left, collect, world, clock };
}

describe('garbage collection of containers', () => {
  test("keeps the newest dead container of each pod's container", async () => {
    const { collect, left } = await aNode({ a: 3, b: 2 });
    await collect();
    expect(left()).toEqual(['a 2', 'b 1']);
  });

  test('removes the dead containers of a deleted pod once all sources are ready', async () => {
    const { collect, left, gone } = await aNode({ a: 2, b: 1 });
    gone.add('uid-a');
    await collect({ allSourcesReady: false });
    expect(left()).toEqual(['a 1', 'b 0']);
    await collect();
    expect(left()).toEqual(['b 0']);
  });

  test('keeps young dead containers', async () => {
    const { collect, left } = await aNode({ a: 3 });
    await collect({ minAge: 500_000 });
    expect(left()).toEqual(['a 1', 'a 2']);
  });

  test('limits the total number of dead containers, evenly and then by age', async () => {
    const { collect, left } = await aNode({ a: 3, b: 3, c: 1 });
    await collect({ maxPerPodContainer: -1, maxContainers: 6 });
    expect(left()).toEqual(['a 1', 'a 2', 'b 1', 'b 2', 'c 0']);
    await collect({ maxPerPodContainer: -1, maxContainers: 2 });
    expect(left()).toEqual(['a 2', 'b 2']);
  });

  test('stops a container in an unknown state before removing it', async () => {
    const { collect, left, world, fake } = await aNode({ a: 2 });
    const [first] = world.containers.values();
    if (first !== undefined) first.state = ContainerState.CONTAINER_UNKNOWN;
    fake.calls.length = 0;
    await collect();
    expect(left()).toEqual(['a 1']);
    expect(fake.calls).toContain('stopContainer');
  });

  test('removes the logs of a container together with it', async () => {
    const { collect, files } = await aNode({ a: 2 });
    const folder = '/var/log/pods/default_a_uid-a/app';
    for (const name of ['0.log', '0.log.20260101-000000.gz', '1.log']) files.files.set(`${folder}/${name}`, '');
    await collect();
    expect([...files.files.keys()]).toEqual([`${folder}/1.log`]);
  });

  test('continues after a container that cannot be removed', async () => {
    const { collect, left, fake, reports } = await aNode({ a: 3 });
    fake.fail('removeContainer');
    await collect();
    expect(left()).toHaveLength(2);
    expect(reports).toHaveLength(1);
    await collect();
    expect(left()).toEqual(['a 2']);
  });
});

describe('garbage collection of sandboxes', () => {
  test('keeps the newest sandbox of a pod and those that are ready or hold containers', async () => {
    const { collect, manager, world, clock } = await aNode({ a: 1 });
    const sync = async () =>
      manager.syncPod(aPod('a'), await manager.podStatus('uid-a', 'a', 'default'), { pullSecrets: [] });
    world.reboot();
    await sync();
    world.reboot();
    await sync();
    await clock.runUntil(clock.sleep(1));
    await collect();
    expect([...world.sandboxes.values()].map(({ config }) => config.metadata?.attempt)).toEqual([1, 2]);
  });

  test('stops and removes the sandboxes of a deleted pod', async () => {
    const { collect, gone, world, fake } = await aNode({ a: 1 });
    gone.add('uid-a');
    await collect();
    expect(world.sandboxes.size).toBe(1);
    world.reboot();
    fake.calls.length = 0;
    await collect();
    expect(world.sandboxes.size).toBe(0);
    expect(fake.calls.slice(-2)).not.toContain('removeContainer');
  });
});

describe('garbage collection of logs', () => {
  test('removes the logs of a deleted pod', async () => {
    const { collect, gone, files } = await aNode({ a: 1, b: 1 });
    gone.add('uid-a');
    await collect();
    expect([...files.folders].filter((path) => path.includes('uid-a'))).toEqual([]);
    expect([...files.folders].some((path) => path.includes('uid-b'))).toBe(true);
  });

  test('removes links to missing logs, unless a container may still write', async () => {
    const { collect, world, files } = await aNode({ a: 1 });
    const [dead] = world.containers.keys();
    files.files.set(`/var/log/containers/a_default_app-${dead}.log`, '-> /none');
    files.files.set('/var/log/containers/old_default_app-0123456789.log', '-> /none');
    files.files.set('/var/log/containers/other.txt', '-> /none');
    await collect();
    expect([...files.files.keys()]).toEqual(['/var/log/containers/other.txt']);
    for (const container of world.containers.values()) container.state = ContainerState.CONTAINER_CREATED;
    files.files.set(`/var/log/containers/a_default_app-${dead}.log`, '-> /none');
    await collect();
    expect(files.files.size).toBe(2);
  });
});

test('continues with other steps after a failure', async () => {
  const { collect, fake, gone, files } = await aNode({ a: 1 });
  gone.add('uid-a');
  fake.fail('listContainers', undefined, { times: 2 });
  await expect(collect()).rejects.toThrow(
    '[rpc error: code = Unavailable desc = connection error, rpc error: code = Unavailable desc = connection error]',
  );
  expect([...files.folders]).toEqual([]);
});
