import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { randomFrom } from '#test/store/random.ts';
import { MemoryCheckpoints } from '../../checkpointmanager/testing.ts';
import { aContainer, devices, FakePlugin, ManagerFixture, podOf } from './testing.ts';

const RESOURCES = Array.from({ length: 10 }, (_, index) => `example.com/r${index}`);
const DEVICES = devices(1000);

/** The devices of every container of a pod, as `resource/id` by container. */
type Held = ReadonlyMap<string, readonly string[]>;

/** A node whose agent can be killed between any two steps. The checkpoint, the plugins and the running pods survive. */
class Node {
  readonly store = new MemoryCheckpoints();
  readonly clock = new ManualClock();
  /** Admitted pods with the devices of their containers. */
  readonly running = new Map<string, { readonly pod: Pod; readonly held: Held }>();
  readonly #random: () => number;
  /** Resolves when the agent is killed. */
  #killed = Promise.withResolvers<void>();
  #fixture: ManagerFixture;
  kills = 0;
  /** Number of pods that did not fit, and the maximum that ran at the same time. */
  refusals = 0;
  most = 0;
  #pods = 0;

  constructor(random: () => number) {
    this.#random = random;
    this.#fixture = new ManagerFixture({}, this);
    const { write } = this.store;
    this.store.write = async (key, data) => {
      await this.#step();
      await write.call(this.store, key, data);
      await this.#step();
    };
  }

  /** A point at which the agent can be killed. It then never continues. */
  async #step(): Promise<void> {
    if (this.#random() >= 0.02) return;
    this.kills++;
    this.#killed.resolve();
    await new Promise(() => undefined);
  }

  /** Restarts the agent: plugins register again, and running pods are admitted again. */
  async start(): Promise<void> {
    this.#killed = Promise.withResolvers();
    const fixture = new ManagerFixture({}, this);
    this.#fixture = fixture;
    const starting = async (): Promise<void> => {
      fixture.allSourcesReady = false;
      await fixture.manager.start();
      expect(fixture.faults).toEqual([]);
      // Containers run with these devices, so the checkpoint must contain them before any plugin registers again.
      for (const { pod, held } of this.running.values()) expect(this.#held(pod, fixture)).toEqual(held);
      for (const { pod } of this.running.values()) fixture.pods.push(pod);
      for (const resource of RESOURCES) await fixture.plugin(resource, DEVICES, this.#plugin());
      fixture.allSourcesReady = true;
      for (const { pod } of this.running.values())
        for (const container of pod.spec.containers ?? []) await fixture.manager.allocate(pod, container);
    };
    await this.#untilKilled(starting());
  }

  #plugin(): FakePlugin {
    const plugin = new FakePlugin();
    const { answer } = plugin;
    plugin.answer = async (ids) => {
      await this.#step();
      const response = await answer(ids);
      await this.#step();
      return response;
    };
    return plugin;
  }

  /** Waits for the work to end or the agent to be killed, in which case it restarts. */
  async #untilKilled(work: Promise<unknown>): Promise<void> {
    const end = await Promise.race([work.then(() => 'done'), this.#killed.promise.then(() => 'killed')]);
    if (end === 'killed') await this.start();
  }

  /** Admits a new pod. */
  async admit(): Promise<void> {
    const count = 1 + Math.floor(this.#random() * 2);
    const container = (name: string) => {
      const resource = RESOURCES[Math.floor(this.#random() ** 2 * RESOURCES.length)] ?? '';
      return aContainer(name, { [resource]: 1 + Math.floor(this.#random() * 500) });
    };
    const pod = podOf(
      `p${this.#pods++}`,
      Array.from({ length: count }, (_, index) => container(`c${index}`)),
    );
    const fixture = this.#fixture;
    const admission = fixture.admit(pod).then(
      () => this.running.set(pod.metadata.uid ?? '', { pod, held: this.#held(pod, fixture) }),
      (error: unknown) => {
        expect(String(error)).toContain('requested number of devices unavailable');
        this.refusals++;
        fixture.pods.splice(fixture.pods.indexOf(pod), 1);
      },
    );
    await this.#untilKilled(admission);
  }

  /** Removes a pod. */
  remove(): void {
    const uids = [...this.running.keys()];
    const uid = uids[Math.floor(this.#random() * uids.length)] ?? '';
    this.running.delete(uid);
    this.#fixture.pods.splice(0, Infinity, ...[...this.running.values()].map(({ pod }) => pod));
  }

  #held(pod: Pod, fixture: ManagerFixture): Held {
    const podUID = pod.metadata.uid ?? '';
    return new Map(
      (pod.spec.containers ?? []).map(({ name }) => [
        name,
        [...fixture.manager.getDevices({ podUID, containerName: name })]
          .flatMap(([resource, byNode]) => [...byNode.values()].flat().map((id) => `${resource}/${id}`))
          .sort(),
      ]),
    );
  }

  /** Checks that every running container has its devices, as many as requested, and that no other container has them. */
  check(): void {
    const seen = new Set<string>();
    this.most = Math.max(this.most, this.running.size);
    for (const { pod, held } of this.running.values()) {
      expect(this.#held(pod, this.#fixture)).toEqual(held);
      for (const { name, resources } of pod.spec.containers ?? []) {
        const ids = held.get(name) ?? [];
        expect(ids).toHaveLength(Number(Object.values(resources?.limits ?? {})[0]));
        for (const id of ids) {
          expect(seen.has(id)).toBe(false);
          seen.add(id);
        }
      }
    }
  }
}

test.each([1, 2, 3])(
  'neither shares nor loses a device when the agent is killed at any step (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const node = new Node(random);
    await node.start();
    for (let step = 0; step < 60; step++) {
      if (random() < 0.7) await node.admit();
      else node.remove();
      node.check();
    }
    expect(node.kills).toBeGreaterThan(1);
    expect(node.most).toBeGreaterThan(5);
    expect(node.refusals).toBeGreaterThan(0);
  },
);
