import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { schedulerConfiguration } from '../../apis/config/configuration.ts';
import { Cache } from '../../backend/cache/cache.ts';
import { Diagnosing } from '../../diagnosis.ts';
import { findNodesThatPassFilters } from '../../find-nodes.ts';
import { prioritizeNodes } from '../../prioritize-nodes.ts';
import { aHandle, aNode, aPodInfo, type NodeOf, type PodOf } from '../../testing/wrappers.ts';
import { CycleState } from '../cycle-state.ts';
import type { PodInfo } from '../pod-info.ts';
import { type Framework, newFramework } from './framework.ts';
import { runPreFilterPlugins } from './pre-filter.ts';

/** Sequences of changes and attempts: 1,500 attempts in CI, always the same, or 102,000 random ones. */
const SEQUENCES = process.env['DAVIT_FULL'] === undefined ? { numRuns: 25, seed: 39 } : { numRuns: 1700 };
const LENGTH = 60;
const [HOST, ZONE] = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

const term = (app: string, topologyKey: string) => ({ labelSelector: { matchLabels: { app } }, topologyKey });
const spread = (whenUnsatisfiable: string) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable, labelSelector: { matchLabels: { app: 'a' } } },
  ],
});
const inZone = (...values: string[]) => ({ matchExpressions: [{ key: ZONE, operator: 'In', values }] });

/** Pods whose fields reach every plugin that signs pods, and some that do not. */
const PODS: readonly PodOf[] = [
  {},
  { requests: { cpu: '500m', memory: '1Gi' } },
  { requests: { cpu: '500m', memory: '1Gi' }, labels: { app: 'a' } },
  { requests: { cpu: '2', memory: '100Mi', 'ephemeral-storage': '1Gi' } },
  { requests: { cpu: '100m', 'example.com/foo': '1' } },
  { requests: { 'hugepages-2Mi': '2Mi', cpu: '1', memory: '1Mi' } },
  { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }, { name: 'd' }, { name: 'e' }] } },
  { spec: { containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }, { name: 'd' }] } },
  { hostPorts: [80] },
  { hostPorts: [81] },
  { hostPorts: [80, 81], requests: { cpu: '100m' } },
  { spec: { tolerations: [{ operator: 'Exists' }] }, requests: { cpu: '1' } },
  { spec: { tolerations: [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }] } },
  { spec: { nodeSelector: { [ZONE]: 'z1' } }, requests: { cpu: '100m' } },
  {
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [inZone('z0', 'z1')] },
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, preference: inZone('z1') }],
        },
      },
    },
  },
  {
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [inZone('z0', 'z2')] },
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, preference: inZone('z2') }],
        },
      },
    },
  },
  { spec: { nodeName: 'n1' } },
  { labels: { app: 'a' }, spec: spread('DoNotSchedule') },
  { labels: { app: 'a' }, spec: { ...spread('ScheduleAnyway'), nodeSelector: { [ZONE]: 'z0' } } },
  {
    labels: { app: 'b' },
    spec: { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term('b', HOST)] } } },
  },
  {
    labels: { app: 'c' },
    spec: {
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 3, podAffinityTerm: term('a', ZONE) }],
        },
      },
    },
  },
  { spec: { containers: [{ name: 'c', image: 'large:1' }] } },
  { spec: { hostNetwork: true, hostUsers: false } },
];

/** Parts of nodes that change independently. */
const NODES: readonly NodeOf[] = [
  {},
  { unschedulable: true },
  { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] },
  { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] },
  { images: { 'large:1': 900_000_000 } },
  { capacity: { cpu: '1', memory: '2Gi', pods: '3', 'ephemeral-storage': '10Gi' } },
  { capacity: { cpu: '16', memory: '8Gi', pods: '9', 'example.com/foo': '2', 'hugepages-2Mi': '8Mi' } },
  { status: { declaredFeatures: ['UserNamespacesHostNetworkSupport'] } },
];

const step = fc.record({
  what: fc.constantFrom('place', 'place', 'leave', 'change', 'change', 'nominate', 'remove'),
  node: fc.nat(11),
  look: fc.nat(NODES.length - 1),
  pod: fc.nat(PODS.length - 1),
  attempt: fc.nat(PODS.length - 1),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const CAPACITY = { cpu: '4', memory: '8Gi', pods: '6', 'ephemeral-storage': '10Gi' };
const aNodeOf = (i: number, look: number) =>
  aNode({ capacity: CAPACITY, ...NODES[look], name: `n${i}`, labels: { [HOST]: `n${i}`, [ZONE]: `z${i % 3}` } });

/** A cluster, with one framework that keeps results and one that does not. */
class World {
  readonly #cache = new Cache();
  readonly #nominated = new Map<string, PodInfo[]>();
  readonly #frameworks: readonly Framework[];
  #serial = 0;

  constructor() {
    const [profile] = schedulerConfiguration().profiles;
    if (profile === undefined) throw new Error('no profile');
    const nominator = {
      nominatedPodsForNode: (name: string) => this.#nominated.get(name) ?? [],
      deleteNominatedPod() {},
    };
    const ports = { ...aHandle(), nominator, snapshot: () => this.#cache.snapshot, record() {} };
    const { kept: _, ...plain } = newFramework(profile, ports);
    this.#frameworks = [newFramework(profile, ports), plain];
    for (let i = 0; i < 12; i++) this.#cache.setNode(aNodeOf(i, i % NODES.length));
  }

  happen({ what, node, look, pod }: Step): void {
    const name = `n${node}`;
    const info = aPodInfo({ ...PODS[pod], name: `p${this.#serial++}`, priority: 5 });
    if (what === 'place') this.#cache.setPod(info, name);
    if (what === 'change') this.#cache.setNode(aNodeOf(node, look));
    if (what === 'remove') this.#cache.removeNode(name);
    if (what === 'nominate') this.#nominated.set(name, this.#nominated.has(name) ? [] : [info]);
    const [there] = this.#cache.getNode(name)?.pods.keys() ?? [];
    if (what === 'leave' && there !== undefined) this.#cache.removePod(there);
  }

  /** The results of an attempt with each of the frameworks. */
  async attempts(kind: number, start: number): Promise<unknown[]> {
    const pod = aPodInfo({ ...PODS[kind], name: `new${this.#serial++}` });
    const { nodes } = this.#cache.takeSnapshot();
    return Promise.all(this.#frameworks.map((framework) => found(framework, pod, nodes.length === 0 ? 0 : start)));
  }
}

/** The statuses of PreFilter and of each node, and the total scores of the feasible nodes. */
async function found(framework: Framework, pod: PodInfo, start: number): Promise<unknown> {
  const { nodes } = framework.handle.snapshot();
  const [state, diagnosis] = [new CycleState(), new Diagnosing(nodes)];
  const before = runPreFilterPlugins(framework.points.preFilter, state, pod, nodes);
  if (before.status !== undefined) return before;
  const kept = framework.kept?.of(state, pod, nodes.length);
  const search = { framework, state, pod, diagnosis, percentageOfNodesToScore: 0, start, kept };
  const feasible = await findNodesThatPassFilters(search, nodes);
  const scores = feasible.length < 2 ? feasible.map(({ name }) => name) : await prioritizeNodes(search, feasible);
  return { scores, refused: [...diagnosis.filtered], plugins: diagnosis.unschedulablePlugins };
}

test('finds the same nodes, scores and reasons with kept results as without', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: LENGTH, maxLength: LENGTH }), async (steps) => {
      const world = new World();
      for (const [i, one] of steps.entries()) {
        world.happen(one);
        const [fast, plain] = await world.attempts(one.attempt, i);
        expect(fast).toEqual(plain);
      }
    }),
    SEQUENCES,
  );
});
