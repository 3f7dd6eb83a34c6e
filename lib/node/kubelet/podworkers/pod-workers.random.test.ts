import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { aPod, runtimeStatus } from '../testing/pods.ts';
import type { UpdatePodOptions } from './pod-syncer.ts';
import { PodWorkers } from './pod-workers.ts';
import { WorkQueue } from './work-queue.ts';

const UIDS = ['u1', 'u2', 'u3'] as const;

/** A random step: an update, a housekeeping run, the end of a sync, or time passing. */
type Step =
  | { readonly type: 'update'; readonly uid: string; readonly updateType: UpdatePodOptions['updateType'] }
  | { readonly type: 'delete' | 'orphan' | 'runtime'; readonly uid: string }
  | { readonly type: 'end'; readonly result: 'well' | 'terminal' | 'failed' }
  | { readonly type: 'housekeeping' | 'time' };

const uid = fc.constantFrom(...UIDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant('update' as const),
    uid,
    updateType: fc.constantFrom('sync' as const, 'update' as const, 'create' as const, 'kill' as const),
  }),
  fc.record({ type: fc.constantFrom('delete' as const, 'orphan' as const, 'runtime' as const), uid }),
  fc.record({
    type: fc.constant('end' as const),
    result: fc.constantFrom('well' as const, 'terminal' as const, 'failed' as const),
  }),
  fc.record({ type: fc.constantFrom('housekeeping' as const, 'time' as const) }),
);

/** Static pods with the same name, so that each waits for the others. */
const podOf = (name: string): Pod =>
  aPod('a', { metadata: { uid: name, annotations: { 'kubernetes.io/config.source': 'file' } } });

interface Running {
  readonly uid: string;
  readonly stage: 'sync' | 'stop' | 'clean' | 'runtime';
  end(result: 'well' | 'terminal' | 'failed'): void;
}

/** Workers whose syncs end when a step requests it. */
class World {
  readonly running: Running[] = [];
  readonly wanted = new Set<string>();
  readonly clock = new ManualClock();
  readonly workQueue = new WorkQueue(this.clock);
  /** The stages of each uid since it was last forgotten. */
  readonly stages = new Map<string, string[]>();
  readonly workers = new PodWorkers({
    allocatedPod: (pod) => pod,
    syncer: () => ({
      syncPod: async ({ pod }) => ({ isTerminal: (await this.#run(pod.metadata.uid, 'sync')) === 'terminal' }),
      syncTerminatingPod: async ({ pod }) => void (await this.#run(pod.metadata.uid, 'stop')),
      syncTerminatingRuntimePod: async (pod) => void (await this.#run(pod.uid, 'runtime')),
      syncTerminatedPod: async (pod) => void (await this.#run(pod.metadata.uid, 'clean')),
    }),
    statuses: {
      get: (name) => runtimeStatus(aPod(name)),
      newerThan: async (name) => runtimeStatus(aPod(name)),
    },
    workQueue: this.workQueue,
    clock: this.clock,
    random: () => 0.5,
    resyncInterval: 60_000,
    backOffPeriod: 10_000,
    onError: () => undefined,
    onUnknownStatus: () => undefined,
    worked: () => undefined,
  });

  #run(name: string | undefined, stage: Running['stage']): Promise<'well' | 'terminal'> {
    const key = name ?? '';
    expect(this.running.map((one) => one.uid)).not.toContain(key);
    if (stage === 'sync') expect(this.running.filter((one) => one.stage !== 'runtime')).toEqual([]);
    this.stages.set(key, [...(this.stages.get(key) ?? []), stage]);
    return new Promise((resolve, reject) => {
      const running: Running = {
        uid: key,
        stage,
        end: (result) => {
          this.running.splice(this.running.indexOf(running), 1);
          if (result === 'failed') return reject(new Error('failed'));
          // The workers forget a pod that existed only in the runtime. A new pod may reuse its uid.
          if (stage === 'runtime') this.stages.delete(key);
          return resolve(result);
        },
      };
      this.running.push(running);
    });
  }

  housekeep(): void {
    const known = this.workers.syncKnownPods([...this.wanted].map((name) => podOf(name)));
    for (const name of this.stages.keys()) if (!known.has(name)) this.stages.delete(name);
    for (const name of this.wanted)
      if (!known.has(name)) this.workers.updatePod({ updateType: 'create', pod: podOf(name) });
  }

  take(taken: Step): void {
    switch (taken.type) {
      case 'update':
        this.wanted.add(taken.uid);
        return this.workers.updatePod({ updateType: taken.updateType, pod: podOf(taken.uid) });
      case 'delete': {
        const pod = podOf(taken.uid);
        const metadata = { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
        return this.workers.updatePod({ updateType: 'update', pod: { ...pod, metadata } });
      }
      case 'orphan':
        return void this.wanted.delete(taken.uid);
      case 'runtime':
        return this.workers.updatePod({
          updateType: 'kill',
          runningPod: { uid: taken.uid, name: 'a', namespace: 'default', createdAt: 0, containers: [], sandboxes: [] },
        });
      case 'end':
        return this.running.at(0)?.end(taken.result);
      case 'housekeeping':
        return this.housekeep();
      case 'time':
        this.clock.advance(60_000);
        for (const name of this.workQueue.take())
          if (this.wanted.has(name)) this.workers.updatePod({ updateType: 'sync', pod: podOf(name) });
        return undefined;
      default:
        return taken satisfies never;
    }
  }
}

/** Ends everything in progress, until no work is left. */
async function drain(world: World): Promise<void> {
  world.wanted.clear();
  for (let round = 0; round < 30; round++) {
    world.housekeep();
    await settled();
    while (world.running.length > 0) {
      world.running.at(0)?.end('well');
      await settled();
    }
  }
}

test('runs one sync per pod at a time and one static pod per name, never reverts a termination, and finishes every pod', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const world = new World();
      for (const taken of steps) {
        const ending = UIDS.filter((name) => world.workers.isPodTerminationRequested(name));
        world.take(taken);
        if (taken.type !== 'housekeeping')
          for (const name of ending)
            if (world.workers.couldHaveRunningContainers(name) || taken.type !== 'end')
              expect(world.workers.isPodTerminationRequested(name)).toBe(true);
        await settled();
      }
      for (const stages of world.stages.values()) {
        const afterStop = stages.slice(stages.findIndex((stage) => stage !== 'sync'));
        if (stages.some((stage) => stage === 'stop' || stage === 'clean')) expect(afterStop).not.toContain('sync');
      }
      await drain(world);
      expect(world.workers.syncKnownPods([]).size).toBe(0);
    }),
    { numRuns: 500 },
  );
});
