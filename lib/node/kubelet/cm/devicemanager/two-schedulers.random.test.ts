import { expect, test } from 'vitest';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { newNodeInfo } from '#lib/scheduler/framework/new-node-info.ts';
import { insufficientResources } from '#lib/scheduler/framework/plugins/noderesources/insufficient-resources.ts';
import { podInfoOf } from '#lib/scheduler/framework/pod-info-of.ts';
import { randomFrom } from '#test/store/random.ts';
import { initialNode } from '../../initial-node.ts';
import type { PodAdmitResult } from '../../lifecycle/pod-admit.ts';
import { predicateAdmitHandler } from '../../lifecycle/predicate.ts';
import { someFacts } from '../../testing/facts.ts';
import { TopologyManager } from '../topologymanager/topology-manager.ts';
import { aContainer, aDevice, FakePlugin, ManagerFixture, podOf } from './testing.ts';

const FOO = 'hardware-vendor.example/foo';
const FACTS = someFacts();
const NODES = ['n1', 'n2'];
const DEVICES = ['a', 'b', 'c', 'd'];
/** Number of steps in one run. */
const STEPS = 40;

/** A node that admits pods like the agent: it allocates devices first, then checks the scheduler's predicates again. */
class Agent {
  readonly name: string;
  readonly #random: () => number;
  readonly #fixture = new ManagerFixture();
  readonly #topology = new TopologyManager({
    policy: 'none',
    scope: 'container',
    policyOptions: {},
    nodes: [],
  });
  readonly #unhealthy = new Set<string>();
  /** Running pods with their devices. */
  readonly running = new Map<Pod, readonly string[]>();
  readonly #admissions: Promise<void>[] = [];

  constructor(name: string, random: () => number) {
    this.name = name;
    this.#random = random;
    this.#topology.addHintProvider(this.#fixture.manager);
  }

  async start(): Promise<void> {
    const plugin = new FakePlugin();
    const { answer } = plugin;
    plugin.answer = async (ids) => {
      for (let turns = this.#random() * 5; turns > 0; turns--) await Promise.resolve();
      return answer(ids);
    };
    await this.#fixture.plugin(FOO, this.#list(), plugin);
  }

  readonly #list = () => DEVICES.map((id) => aDevice(id, undefined, this.#unhealthy.has(id) ? 'Unhealthy' : 'Healthy'));

  /** The current Node. */
  node(): Node {
    const { allocatable } = this.#fixture.manager.getCapacity();
    const node = initialNode(FACTS, { labels: {}, taints: [], providerID: '' }, new Date(0));
    node.metadata.name = this.name;
    node.status.allocatable = { cpu: '100', memory: '100Gi', pods: '110', [FOO]: String(allocatable[FOO] ?? 0) };
    return node;
  }

  /** Binds a pod to the node and admits it concurrently with other pods. */
  bind(pod: Pod, refused: (reason: string, message: string) => void): void {
    const bound = { ...pod, spec: { ...pod.spec, nodeName: this.name } };
    this.#admissions.push(this.#admit(bound, refused));
  }

  async #admit(pod: Pod, refused: (reason: string, message: string) => void): Promise<void> {
    const { pods, manager } = this.#fixture;
    pods.push(pod);
    const verdict = await this.#verdict(pod);
    if (verdict.admit) {
      this.running.set(pod, this.#fixture.idsOf(pod, 'app'));
      return;
    }
    pods.splice(pods.indexOf(pod), 1);
    manager.updateAllocatedDevices();
    expect(this.#fixture.idsOf(pod, 'app')).toEqual([]);
    refused(verdict.reason, verdict.message);
  }

  async #verdict(pod: Pod): Promise<PodAdmitResult> {
    const allocated = await this.#topology.admit(pod);
    if (!allocated.admit) return allocated;
    const predicates = predicateAdmitHandler({
      node: async () => this.node(),
      updatePluginResources: (node) => node,
      handleFailure: async (_, failures) => failures,
    });
    return predicates.admit(pod, [...this.running.keys()]);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#admissions.splice(0));
  }

  /** Removes a pod. */
  end(): void {
    const all = [...this.running.keys()];
    const pod = all[Math.floor(this.#random() * all.length)];
    if (pod === undefined) return;
    this.running.delete(pod);
    this.#fixture.pods.splice(this.#fixture.pods.indexOf(pod), 1);
  }

  /** Breaks or repairs a device. */
  async breakDevice(): Promise<void> {
    const id = DEVICES[Math.floor(this.#random() * DEVICES.length)] ?? '';
    if (!this.#unhealthy.delete(id)) this.#unhealthy.add(id);
    await this.#fixture.manager.pluginListAndWatch(FOO, this.#list());
  }

  /** Checks that no device is shared, and that each pod keeps as many devices as it requested. */
  check(): void {
    const held = [...this.running].flatMap(([pod, ids]) => {
      expect(this.#fixture.idsOf(pod, 'app')).toEqual(ids);
      expect(ids).toHaveLength(Number(pod.spec.containers?.[0]?.resources?.limits?.[FOO]));
      return ids;
    });
    expect(new Set(held).size).toBe(held.length);
    expect(held.length).toBeLessThanOrEqual(DEVICES.length);
  }
}

/** A scheduler with an outdated view of nodes and pods. It only adds the pods that it bound itself. */
class StaleScheduler {
  #seen = new Map<string, { readonly node: Node; readonly pods: readonly Pod[] }>();

  look(agents: readonly Agent[]): void {
    this.#seen = new Map(agents.map((agent) => [agent.name, { node: agent.node(), pods: [...agent.running.keys()] }]));
  }

  /** The first node with enough room in this scheduler's view. */
  place(pod: Pod): string | undefined {
    const { requests } = podInfoOf(pod);
    const found = [...this.#seen].find(
      ([, { node, pods }]) => insufficientResources(requests, newNodeInfo(node, pods.map(podInfoOf))).length === 0,
    );
    if (found === undefined) return undefined;
    const [name, { node, pods }] = found;
    this.#seen.set(name, { node, pods: [...pods, pod] });
    return name;
  }
}

/** The kubelet's texts for a pod if there are too few devices. */
const REFUSALS = [
  /^UnexpectedAdmissionError: Allocate failed due to requested number of devices unavailable for hardware-vendor\.example\/foo\. Requested: (\d), Available: (\d), which is unexpected$/,
  /^UnexpectedAdmissionError: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices hardware-vendor\.example\/foo, which is unexpected$/,
  /^OutOfhardware-vendor\.example\/foo: Node didn't have enough resource: hardware-vendor\.example\/foo, requested: (\d), used: \d, capacity: \d$/,
];

const aPodOf = (name: string, count: number): Pod => {
  const container = aContainer('app', { [FOO]: count });
  return podOf(name, [{ ...container, resources: { ...container.resources, requests: { [FOO]: String(count) } } }]);
};

/** Executes one run. Returns the number of admitted pods, and the reasons of the rejected ones. */
async function run(seed: number): Promise<{ readonly bound: number; readonly refusals: string[] }> {
  const random = randomFrom(seed);
  const agents = NODES.map((name) => new Agent(name, random));
  const schedulers = [new StaleScheduler(), new StaleScheduler()];
  for (const agent of agents) await agent.start();
  for (const scheduler of schedulers) scheduler.look(agents);
  const one = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const refusals: string[] = [];
  let bound = 0;
  for (let step = 0; step < STEPS; step++) {
    const chance = random();
    if (chance < 0.55) {
      const pod = aPodOf(`p${step}`, 1 + Math.floor(random() * 3));
      const name = one(schedulers)?.place(pod);
      agents
        .find((agent) => agent.name === name)
        ?.bind(pod, (reason, message) => void refusals.push(`${reason}: ${message}`));
      if (name !== undefined) bound++;
    } else if (chance < 0.75) one(schedulers)?.look(agents);
    else if (chance < 0.9) one(agents)?.end();
    else if (chance < 0.95) await one(agents)?.breakDevice();
    if (random() < 0.5) continue; // the next step runs while pods are being admitted
    for (const agent of agents) {
      await agent.settled();
      agent.check();
    }
  }
  for (const agent of agents) {
    await agent.settled();
    agent.check();
  }
  return { bound, refusals };
}

test.each([1, 2, 3, 4])(
  'shares no device between pods of two schedulers with stale views, and rejects pods like the kubelet (part %i of 200 runs)',
  async (part) => {
    const refusals: string[] = [];
    let bound = 0;
    for (let seed = 50 * part; seed < 50 * (part + 1); seed++) {
      const result = await run(seed);
      bound += result.bound;
      refusals.push(...result.refusals);
    }
    for (const refusal of refusals) {
      const match = REFUSALS.map((pattern) => pattern.exec(refusal)).find((one) => one !== null);
      expect(match, refusal).toBeTruthy();
      const [, requested, available] = match ?? [];
      if (available !== undefined) expect(Number(available)).toBeLessThan(Number(requested));
    }
    expect(refusals.length).toBeGreaterThan(60);
    expect(refusals.filter((one) => one.startsWith('UnexpectedAdmissionError')).length).toBeGreaterThan(30);
    expect(bound - refusals.length).toBeGreaterThan(200);
  },
);
