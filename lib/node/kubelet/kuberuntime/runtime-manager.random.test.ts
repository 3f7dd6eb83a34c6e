import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { PodSandboxState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { EventClock } from '#test/support/event-clock.ts';
import type { CallStep } from '../testing/fake-runtime-service.ts';
import { aPod } from '../testing/pods.ts';
import { aNodeRuntime, type FakeNodeRuntime } from '../testing/runtime-ports.ts';
import { RuntimeManager } from './runtime-manager.ts';

const container = (name: string, more: Partial<Container> = {}): Container => ({
  name,
  image: 'i',
  resources: {},
  ...more,
});
const POD = aPod('web', {
  spec: {
    terminationGracePeriodSeconds: 5,
    initContainers: [container('setup'), container('proxy', { restartPolicy: 'Always' }), container('migrate')],
    containers: [container('app', { lifecycle: { preStop: { exec: { command: ['x'] } } } }), container('log')],
  },
});
const UID = POD.metadata.uid ?? '';
const RUNNING = ['default/web/app', 'default/web/log', 'default/web/proxy'];

/** Decides whether a process dies at a step of its calls. */
type Fate = (step: CallStep, node: FakeNodeRuntime) => boolean;

/** A sequence of kubelet processes. Each fate belongs to one process, which continues after the previous one was killed. */
class Lives {
  readonly node: FakeNodeRuntime;
  readonly clock = new EventClock();
  /** Number of steps of the last process. */
  steps = 0;
  readonly #fates: Fate[];
  #manager: RuntimeManager;
  #killed: Promise<void>;

  constructor(fates: readonly Fate[]) {
    this.node = aNodeRuntime(this.clock);
    this.#fates = [...fates];
    [this.#manager, this.#killed] = this.#start();
    this.node.fake.containers.script('setup', { runsFor: 1000, exitCode: 1 }, { runsFor: 1000 });
    this.node.fake.containers.script('migrate', { runsFor: 2000 });
    this.node.fake.containers.script('app', { runsFor: 3000, exitCode: 1 }, { stopsIn: 3000 });
    this.node.fake.containers.script('log', { stopsIn: Infinity });
  }

  #start(): [RuntimeManager, Promise<void>] {
    const fate = this.#fates.shift() ?? (() => false);
    const { ports, connection } = this.node.process((step) => {
      this.steps = step.index + 1;
      return fate(step, this.node);
    });
    return [new RuntimeManager(ports), connection.killed];
  }

  /** Repeats the work, like a kubelet, until the condition holds. A new process continues if the current one is killed. */
  async until(isReached: () => boolean, work: (manager: RuntimeManager) => Promise<void>): Promise<void> {
    for (let round = 0; round < 200; round += 1) {
      const one = work(this.#manager).then(
        () => true,
        () => true,
      );
      if (!(await Promise.race([one, this.#killed.then(() => false)]))) [this.#manager, this.#killed] = this.#start();
      if (isReached()) return;
      await this.clock.sleep(1000);
    }
    throw new Error(`never reached: ${JSON.stringify(this.node.events)}`);
  }

  async sync(manager: RuntimeManager, pod: Pod): Promise<void> {
    await manager.syncPod(pod, await manager.podStatus(UID, 'web', 'default'), { pullSecrets: [] });
  }

  /** Starts the pod, stops it, and collects the garbage. */
  async run(): Promise<void> {
    const { fake, gone } = this.node;
    const { containers: world } = fake;
    const isUp = (): boolean => JSON.stringify(world.running()) === JSON.stringify(RUNNING);
    await this.until(isUp, (manager) => this.sync(manager, POD));
    const ready = [...world.sandboxes.values()].filter(({ state }) => state === PodSandboxState.SANDBOX_READY);
    expect(ready).toHaveLength(1);
    await this.until(
      () => world.running().length === 0 && ready.every(({ state }) => state === PodSandboxState.SANDBOX_NOTREADY),
      async (manager) => {
        for (const pod of await manager.pods(false)) await manager.killPod(POD, pod);
      },
    );
    gone.add(UID);
    await this.until(
      () => world.sandboxes.size === 0 && world.containers.size === 0,
      (manager) =>
        manager.garbageCollect({
          allSourcesReady: true,
          evictTerminated: true,
          minAge: 0,
          maxPerPodContainer: 1,
          maxContainers: -1,
        }),
    );
    expect(world.violations).toEqual([]);
  }
}

const live = async (
  fates: readonly Fate[],
  prepare: (node: FakeNodeRuntime) => void = () => undefined,
): Promise<Lives> => {
  const lives = new Lives(fates);
  prepare(lives.node);
  await lives.clock.runUntil(lives.run());
  return lives;
};

/** Checks that each init container ran once, and that the one with a failure ran once more. */
function expectOnce({ node }: Lives): void {
  const { starts } = node.fake.containers;
  expect(starts.filter((name) => name === 'migrate')).toHaveLength(1);
  expect(starts.filter((name) => name === 'setup').length).toBeLessThanOrEqual(2);
}

test('starts and stops a pod without leftovers, wherever the process is killed', async () => {
  const { steps } = await live([]);
  expect(steps).toBeGreaterThan(100);
  for (let at = 0; at < steps; at += 1) expectOnce(await live([({ index }) => index === at]));
});

test('restarts and stops a pod without leftovers, wherever the machine restarts', async () => {
  const { steps } = await live([]);
  for (let at = 0; at < steps; at += 1) {
    const restart: Fate = ({ index }, { fake }) => {
      if (index === at) fake.containers.reboot();
      return index === at;
    };
    await live([restart]);
  }
});

const methods = [
  'runPodSandbox',
  'podSandboxStatus',
  'createContainer',
  'startContainer',
  'stopContainer',
  'stopPodSandbox',
  'removeContainer',
  'containerStatus',
  'listContainers',
  'listPodSandbox',
  'removePodSandbox',
];

test('converges over several kills and failing calls', async () => {
  const faults = fc.array(
    fc.record({
      method: fc.constantFrom(...methods),
      phase: fc.constantFrom('before' as const, 'after' as const),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(150), { maxLength: 4 }), faults, async (kills, given) => {
      const fates = kills.map(
        (at): Fate =>
          ({ index }) =>
            index === at,
      );
      const fail = ({ fake }: FakeNodeRuntime): void =>
        given.forEach(({ method, ...fault }) => fake.fail(method, undefined, fault));
      expectOnce(await live(fates, fail));
    }),
    { numRuns: 60 },
  );
}, 30_000);
