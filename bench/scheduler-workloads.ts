import type { JsonObject } from '#lib/machinery/json-value.ts';

/** Pods of one template in one namespace. */
export interface PodSet {
  readonly namespace: string;
  readonly count: number;
  readonly pod: JsonObject;
}

/** A workload of upstream's scheduler_perf: nodes, the pods that are placed before, and the pods whose placement is measured. */
export interface Workload {
  /** Upstream's name of the test case. */
  readonly name: string;
  readonly nodes: number;
  /** The labels of every node. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The zones that nodes take in turns. */
  readonly zones?: readonly string[];
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly init: readonly PodSet[];
  readonly measured: PodSet;
}

/** The most pods that a workload measures. */
const MOST = 2000;
const [HOST, ZONE] = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];
const RESOURCES = { cpu: '100m', memory: '500Mi' };
const [BEFORE, MEASURED] = ['sched-0', 'sched-1'];

/** Upstream's pod-default template, with these fields added. */
function aPod(spec: JsonObject = {}, labels: JsonObject = {}): JsonObject {
  const container = {
    name: 'pause',
    image: 'registry.k8s.io/pause:3.10.1',
    ports: [{ containerPort: 80 }],
    resources: { requests: RESOURCES, limits: RESOURCES },
  };
  return { metadata: { labels }, spec: { containers: [container], ...spec } };
}

/** A term that selects pods of this color in both namespaces. */
const termOf = (color: string, topologyKey: string): JsonObject => ({
  labelSelector: { matchLabels: { color } },
  topologyKey,
  namespaces: [BEFORE, MEASURED],
});

/** A term that selects pods of this color in the namespaces of a team. */
const teamTermOf = (color: string, topologyKey: string): JsonObject => ({
  labelSelector: { matchLabels: { color } },
  topologyKey,
  namespaceSelector: { matchLabels: { team: 'devops' } },
});

const required = (term: JsonObject): JsonObject => ({ requiredDuringSchedulingIgnoredDuringExecution: [term] });
const preferred = (podAffinityTerm: JsonObject): JsonObject => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm }],
});
const affinityTo = (podAffinity: JsonObject): JsonObject => ({ affinity: { podAffinity } });
const affinityAgainst = (podAntiAffinity: JsonObject): JsonObject => ({ affinity: { podAntiAffinity } });

const [BLUE, GREEN] = [{ color: 'blue' }, { color: 'green' }];
const POD = {
  plain: aPod(),
  antiAffinity: aPod(affinityAgainst(required(termOf('green', HOST))), GREEN),
  matchingAntiAffinity: aPod({}, GREEN),
  affinity: aPod(affinityTo(required(termOf('blue', ZONE))), BLUE),
  preferredAffinity: aPod(affinityTo(preferred(termOf('red', HOST))), { color: 'red' }),
  preferredAntiAffinity: aPod(affinityAgainst(preferred(termOf('yellow', HOST))), { color: 'yellow' }),
  teamAntiAffinity: aPod(affinityAgainst(required(teamTermOf('green', HOST))), GREEN),
  teamAffinity: aPod(affinityTo(required(teamTermOf('blue', ZONE))), BLUE),
  spreading: aPod(spreading('DoNotSchedule'), BLUE),
  preferredSpreading: aPod(spreading('ScheduleAnyway'), BLUE),
  nodeAffinity: aPod({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: ['zone1', 'zone2'] }] }],
        },
      },
    },
  }),
};

function spreading(whenUnsatisfiable: string): JsonObject {
  const constraint = { maxSkew: 5, topologyKey: ZONE, whenUnsatisfiable, labelSelector: { matchLabels: BLUE } };
  return { topologySpreadConstraints: [constraint] };
}

const ONE_ZONE = { zones: ['zone1'] };
const THREE_ZONES = { zones: ['moon-1', 'moon-2', 'moon-3'] };
const TEAM = { namespaceLabels: { team: 'devops' }, ...ONE_ZONE };

/** Upstream's workloads at a size: for each, the pods placed before as a share of the nodes, their template, and the measured template. */
const SHAPES: readonly (readonly [
  name: string,
  share: number,
  init: JsonObject,
  measured: JsonObject,
  more?: Partial<Workload>,
])[] = [
  ['SchedulingBasic', 0.2, POD.plain, POD.plain],
  ['SchedulingNodeAffinity', 1, POD.nodeAffinity, POD.nodeAffinity, ONE_ZONE],
  ['SchedulingPodAffinity', 1, POD.affinity, POD.affinity, ONE_ZONE],
  ['SchedulingPodAntiAffinity', 0.2, POD.antiAffinity, POD.antiAffinity],
  ['SchedulingPodMatchingAntiAffinity', 0.2, POD.antiAffinity, POD.matchingAntiAffinity],
  ['SchedulingPreferredPodAffinity', 1, POD.preferredAffinity, POD.preferredAffinity],
  ['SchedulingPreferredPodAntiAffinity', 1, POD.preferredAntiAffinity, POD.preferredAntiAffinity],
  ['SchedulingRequiredPodAffinityWithNSSelector', 1, POD.teamAffinity, POD.teamAffinity, TEAM],
  ['SchedulingRequiredPodAntiAffinityWithNSSelector', 0.4, POD.teamAntiAffinity, POD.teamAntiAffinity, TEAM],
  ['TopologySpreading', 1, POD.plain, POD.spreading, THREE_ZONES],
  ['PreferredTopologySpreading', 1, POD.plain, POD.preferredSpreading, THREE_ZONES],
];

/** Pods that exclude each other need a node each. */
const measuredPods = (nodes: number, share: number, measured: JsonObject): number => {
  const excludes = measured === POD.antiAffinity || measured === POD.teamAntiAffinity;
  return Math.min(MOST, excludes ? Math.floor(nodes * (0.9 - share)) : nodes * 4);
};

/** The workloads with this number of nodes. */
export const workloadsOf = (nodes: number): Workload[] =>
  SHAPES.map(([name, share, init, measured, more]) => ({
    name,
    nodes,
    init: [{ namespace: BEFORE, count: Math.floor(nodes * share), pod: init }],
    measured: { namespace: MEASURED, count: measuredPods(nodes, share, measured), pod: measured },
    ...more,
  }));

/** The name of a node by its index. */
export const nodeNameOf = (i: number): string => `scheduler-perf-${i}`;

/** Upstream's node-default template. */
export function nodeOf({ labels = {}, zones = [] }: Workload, i: number): JsonObject {
  const zone = zones[i % zones.length];
  const amounts = { cpu: '4', memory: '32Gi', pods: '110' };
  return {
    metadata: {
      name: nodeNameOf(i),
      labels: { [HOST]: nodeNameOf(i), ...(zone === undefined ? {} : { [ZONE]: zone }), ...labels },
    },
    status: { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
