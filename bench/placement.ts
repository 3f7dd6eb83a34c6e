import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { REPLICA_SETS } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { Cache } from '#lib/scheduler/backend/cache/cache.ts';
import { CycleState } from '#lib/scheduler/framework/cycle-state.ts';
import type { Handle, Plugin, Snapshot } from '#lib/scheduler/framework/interface.ts';
import { interPodAffinityArgs } from '#lib/scheduler/framework/plugins/interpodaffinity/args.ts';
import { interPodAffinity } from '#lib/scheduler/framework/plugins/interpodaffinity/inter-pod-affinity.ts';
import { podTopologySpreadArgs } from '#lib/scheduler/framework/plugins/podtopologyspread/args.ts';
import { podTopologySpread } from '#lib/scheduler/framework/plugins/podtopologyspread/pod-topology-spread.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';
import { podInfoOf } from '#lib/scheduler/framework/pod-info-of.ts';
import { newObjectStores } from '#lib/scheduler/object-stores.ts';
import { aHandle, aNode, aPod } from '#lib/scheduler/testing/wrappers.ts';

const NODES = 5000;
const PODS = 30_000;
/** The number of feasible nodes that are scored. */
const SCORED = 500;
/** Pods that are placed with new plugins, which have to count all other pods. */
const IN_FULL = 40;
const [HOST, ZONE] = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];

const selector = (app: number): JsonObject => ({ matchLabels: { app: `app-${app}` } });

/** The constraints on a workload's pods. */
const KINDS: readonly (readonly [string, (app: number) => JsonObject])[] = [
  ['nothing', () => ({})],
  [
    'spread',
    (app) => ({
      topologySpreadConstraints: [ZONE, HOST].map((topologyKey) => ({
        maxSkew: topologyKey === HOST ? 1 : 5,
        topologyKey,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: selector(app),
      })),
    }),
  ],
  [
    'anti-affinity',
    (app) => {
      const term = { labelSelector: selector(app), topologyKey: HOST };
      return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    },
  ],
  [
    'preferred affinity',
    (app) => {
      const term = { weight: 10, podAffinityTerm: { labelSelector: selector(app), topologyKey: ZONE } };
      return { affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term] } } };
    },
  ],
];
type Times = ReadonlyMap<string, number[]>;

/** Measures topology spread and inter-pod affinity in the placement of one pod in a large cluster, in this process. */
export function measurePlacement(): void {
  console.log(`${NODES} nodes, ${PODS} pods: ms a pod, of the two plugins together, median`);
  for (const workloads of [300, KINDS.length]) {
    const cluster = new Cluster(workloads);
    const kept = cluster.plugins();
    const first = cluster.place(workloads, () => kept);
    const later = cluster.place(1200, () => kept);
    const full = cluster.place(IN_FULL, () => cluster.plugins());
    for (const [kind] of KINDS) {
      const of = (times: Times): string => median(times.get(kind) ?? []).toFixed(2);
      const cells = [`in full ${of(full)}`, `first of a workload ${of(first)}`, `later ${of(later)}`];
      console.log(`${`${workloads} workloads, ${kind}`.padEnd(38)}${cells.join(', ')}`);
    }
  }
}

class Cluster {
  readonly #workloads: number;
  readonly #stores = newObjectStores();
  readonly #cache = new Cache();
  #pods = 0;

  constructor(workloads: number) {
    this.#workloads = workloads;
    for (let app = 0; app < workloads; app++) {
      const owner = { metadata: { namespace: 'default', name: `rs-${app}` }, spec: { selector: selector(app) } };
      this.#stores.replicasets.set(decodedAs(REPLICA_SETS, owner));
    }
    const nodes = Array.from({ length: NODES }, (_, i) =>
      aNode({ name: `n${i}`, labels: { [HOST]: `n${i}`, [ZONE]: `z${i % 3}` } }),
    );
    const pods = Array.from({ length: PODS }, (_, i) => this.#pod(`n${(i * 7919) % NODES}`));
    for (const node of nodes) this.#cache.setNode(node);
    for (const pod of pods) this.#cache.setPod(podInfoOf(pod), pod.spec.nodeName ?? '');
    this.#cache.takeSnapshot();
  }

  /** Creates plugins with empty counters. */
  plugins(): Plugin[] {
    const handle: Handle = {
      ...aHandle({ snapshot: this.#cache.snapshot }),
      lister: (resource) => this.#stores[resource],
    };
    return [
      podTopologySpread(podTopologySpreadArgs.parse({}), handle),
      interPodAffinity(interPodAffinityArgs.parse({}), handle),
    ];
  }

  /** Places this many pods, with the workloads in turn. Returns milliseconds by the kind of constraint. */
  place(count: number, plugins: () => Plugin[]): Times {
    const times = new Map<string, number[]>(KINDS.map(([kind]) => [kind, []]));
    for (let i = 0; i < count; i++) {
      const [kind = ''] = KINDS[(this.#pods % this.#workloads) % KINDS.length] ?? [];
      const pod = podInfoOf(this.#pod());
      const begin = performance.now();
      for (const plugin of plugins()) attempt(plugin, pod, this.#cache.snapshot);
      times.get(kind)?.push(performance.now() - begin);
      this.#cache.setPod(pod, `n${(i * 31) % NODES}`);
      this.#cache.takeSnapshot();
    }
    return times;
  }

  #pod(nodeName?: string): Pod {
    const app = this.#pods % this.#workloads;
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `rs-${app}`, uid: 'r', controller: true };
    return aPod({
      name: `p${this.#pods++}`,
      labels: { app: `app-${app}` },
      spec: KINDS[app % KINDS.length]?.[1](app) ?? {},
      metadata: { ownerReferences: [owner] },
      ...defined({ nodeName }),
    });
  }
}

function attempt(plugin: Plugin, pod: PodInfo, { nodes }: Snapshot): void {
  const state = new CycleState();
  const scored = nodes.slice(0, SCORED);
  const refused = plugin.preFilter?.(state, pod, nodes).status;
  if (refused === undefined) for (const node of scored) plugin.filter?.(state, pod, node);
  if (plugin.preScore?.(state, pod, scored) !== undefined) return;
  const scores = scored.map((node) => ({ name: node.name, score: Number(plugin.score?.(state, pod, node)) }));
  plugin.normalizeScore?.(state, pod, scores);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
