import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Container, ContainerState, ContainerStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import { EventClock } from '#test/support/event-clock.ts';
import { settled } from '#test/support/settled.ts';
import { aPod } from '../testing/pods.ts';
import { aNodeRuntime, FakeContainerFiles } from '../testing/runtime-ports.ts';
import { POD_UID_LABEL } from './labels.ts';
import { RuntimeManager } from './runtime-manager.ts';

const POD = aPod('web');
const UID = POD.metadata.uid ?? '';

/** Records the paths that are written and removed. */
class WatchedFiles extends FakeContainerFiles {
  readonly changed: string[] = [];

  override async makeFolder(path: string): Promise<void> {
    this.changed.push(path);
    await super.makeFolder(path);
  }

  override async symlink(target: string, link: string): Promise<void> {
    this.changed.push(link);
    await super.symlink(target, link);
  }

  override async remove(path: string): Promise<void> {
    this.changed.push(path);
    await super.remove(path);
  }

  override async removeAll(folder: string): Promise<void> {
    this.changed.push(folder);
    await super.removeAll(folder);
  }

  override async createWritable(path: string): Promise<void> {
    this.changed.push(path);
    await super.createWritable(path);
  }
}

/** Values that a correct runtime never returns, by type. */
const LIES = {
  string: [
    '',
    '..',
    '../../../etc/passwd',
    '/etc/shadow',
    '/',
    '\0',
    'x'.repeat(10_000),
    '{"exec":5}',
    '-1',
    '9'.repeat(30),
  ],
  number: [-1, 0, 2 ** 31 - 1, -(2 ** 31), 99],
  bigint: [-1n, 0n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n],
} as const;

/** The same response with false values in it. `draw` returns random numbers in [0, 1). */
function lied<T>(value: T, draw: () => number): T;
function lied(value: unknown, draw: () => number): unknown {
  const any = <T>(all: readonly T[]): T | undefined => all[Math.floor(draw() * all.length)];
  const lies = draw() < 0.15;
  if (typeof value === 'string') return lies ? any(LIES.string) : value;
  if (typeof value === 'number') return lies ? any(LIES.number) : value;
  if (typeof value === 'bigint') return lies ? any(LIES.bigint) : value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => lied(item, draw));
    return lies ? [...items, ...items] : items;
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, lied(field, draw)]);
  return Object.fromEntries(fields);
}

/** A runtime whose read responses are false from time to time. It executes its commands correctly. */
const liar = (runtime: RuntimeService, draw: () => number): RuntimeService => ({
  ...runtime,
  listContainers: async (...asked) => lied(await runtime.listContainers(...asked), draw),
  listPodSandbox: async (...asked) => lied(await runtime.listPodSandbox(...asked), draw),
  containerStatus: async (...asked) => lied(await runtime.containerStatus(...asked), draw),
  podSandboxStatus: async (...asked) => lied(await runtime.podSandboxStatus(...asked), draw),
});

test('changes only files of logs and fails only with errors when a runtime returns false values', async () => {
  const draws = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(draws, async (stream) => {
      const draw = (): number => stream.next().value ?? 0;
      const clock = new EventClock();
      const files = new WatchedFiles();
      const node = aNodeRuntime(clock, { files, logs: files.logs });
      const honest = node.process().ports;
      const manager = new RuntimeManager({ ...honest, runtime: liar(honest.runtime, draw) });
      const read = () => manager.podStatus(UID, 'web', 'default');
      const work = async (): Promise<void> => {
        for (let round = 0; round < 5; round++) {
          const status = await read().catch(expectError);
          if (status !== undefined) await manager.syncPod(POD, status, { pullSecrets: [] }).catch(expectError);
          const pods = await manager.pods(true).catch(expectError);
          for (const pod of round < 3 ? [] : (pods ?? [])) await manager.killPod(undefined, pod, 1).catch(expectError);
          const options = { minAge: 0, maxContainers: 1, maxPerPodContainer: 1, allSourcesReady: true };
          await manager.garbageCollect({ ...options, evictTerminated: true }).catch(expectError);
        }
      };
      await clock.runUntil(work());
      expect(files.changed.filter((path) => !isLog(path))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

const isLog = (path: string): boolean =>
  /^\/var\/log\/(?:pods|containers)\/[^/]+(?:\/[^/]+)*$/.test(path) && !path.split('/').includes('..');

function expectError(error: unknown): undefined {
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(TypeError);
}

test('limits concurrent status requests, however many containers the runtime reports', async () => {
  const node = aNodeRuntime(new EventClock());
  const { ports } = node.process();
  let [asked, most] = [0, 0];
  const containers = Array.from({ length: 5000 }, (_, i) =>
    Container.fromPartial({
      id: `c${i}`,
      podSandboxId: 's',
      metadata: { name: 'app', attempt: i },
      image: { image: 'i' },
      state: ContainerState.CONTAINER_EXITED,
      labels: { [POD_UID_LABEL]: UID },
    }),
  );
  const runtime: RuntimeService = {
    ...ports.runtime,
    listContainers: async () => ({ containers }),
    async containerStatus({ containerId = '' }) {
      asked += 1;
      most = Math.max(most, asked);
      await settled();
      asked -= 1;
      return { status: ContainerStatus.fromPartial({ id: containerId, createdAt: 1n }), info: {} };
    },
  };
  const { containerStatuses } = await new RuntimeManager({ ...ports, runtime }).podStatus(UID, 'web', 'default');
  expect(containerStatuses).toHaveLength(5000);
  expect(most).toBeLessThanOrEqual(32);
});

test('assigns a container without labels to no pod, and a foreign one only to its own', async () => {
  const clock = new EventClock();
  const node = aNodeRuntime(clock);
  const { ports } = node.process();
  const honest = new RuntimeManager(ports);
  const read = (manager: RuntimeManager) => manager.podStatus(UID, 'web', 'default');
  await honest.syncPod(POD, await read(honest), { pullSecrets: [] });
  const strangers = [{}, { [POD_UID_LABEL]: 'other' }].map((labels, i) =>
    Container.fromPartial({ id: `x${i}`, metadata: { name: 'app', attempt: 0 }, image: { image: 'i' }, labels }),
  );
  const runtime: RuntimeService = {
    ...ports.runtime,
    listContainers: async (...asked) => {
      const { containers } = await ports.runtime.listContainers(...asked);
      return { containers: [...containers, ...strangers] };
    },
  };
  const pods = await new RuntimeManager({ ...ports, runtime }).pods(true);
  expect(pods.map(({ uid, containers }) => `${uid}: ${containers.length}`)).toEqual([`${UID}: 1`, ': 1', 'other: 1']);
});
