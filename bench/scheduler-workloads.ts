import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ChurnOf } from './scheduler-churn.ts';

/** Pods from one template in one namespace. */
export interface PodSet {
  readonly namespace: string;
  readonly count: number;
  readonly pod: JsonObject;
}

/** A workload of upstream's scheduler_perf: nodes, the pods that are placed first, and the pods whose placement is measured. */
export interface Workload {
  /** Upstream's name of the test case. */
  readonly name: string;
  readonly nodes: number;
  /** The labels of every node. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The zones, which are assigned to nodes in turn. */
  readonly zones?: readonly string[];
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Additional resources of every node. */
  readonly extended?: Readonly<Record<string, string>>;
  /** Whether there is an additional node, NAMED_NODE, with room for all pods. */
  readonly hasNamedNode?: boolean;
  readonly init: readonly PodSet[];
  /** Pods that stay pending all the time. */
  readonly waiting?: PodSet;
  readonly churn?: ChurnOf;
  readonly measured: PodSet;
}

/** Upstream's node-with-name template. */
export const NAMED_NODE = 'scheduler-perf-node';
/** The maximum number of pods that a workload measures. */
const MOST = 2000;
const [HOST, ZONE] = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'];
const RESOURCES = { cpu: '100m', memory: '500Mi' };
const [BEFORE, MEASURED] = ['sched-0', 'sched-1'];

/** Upstream's pod-default template, with these fields added. */
function aPod(spec: JsonObject = {}, labels: JsonObject = {}): JsonObject {
  return { metadata: { labels }, spec: { containers: [aContainer(RESOURCES)], ...spec } };
}

function aContainer(amounts?: JsonObject): JsonObject {
  const resources = amounts === undefined ? {} : { requests: amounts, limits: amounts };
  return { name: 'pause', image: 'registry.k8s.io/pause:3.10.1', ports: [{ containerPort: 80 }], resources };
}

/** Upstream's pod templates with other requests and priorities. */
const asking = (amounts: JsonObject | undefined, spec: JsonObject = {}): JsonObject =>
  aPod({ containers: [aContainer(amounts)], terminationGracePeriodSeconds: 0, ...spec });

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

const LOW = asking({ cpu: '900m', memory: '500Mi' });
const HIGH = asking({ cpu: '3000m', memory: '500Mi' }, { priority: 10 });
const UNSCHEDULABLE = asking({ cpu: '9', memory: '500Mi' }, { priority: 10 });
const LIGHT = asking(undefined);
const GATED = asking(undefined, { schedulingGates: [{ name: 'example.com/gate' }] });
const EXTENDED = { 'example.com/foo': '8' };
const WITH_EXTENDED = asking({ cpu: '100m', 'example.com/foo': '1' });
const DAEMON = asking(undefined, {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [NAMED_NODE] }] }],
      },
    },
  },
});

const PODS = `/api/v1/namespaces/${BEFORE}/pods`;
const every = (milliseconds: number, pod: JsonObject): Partial<Workload> => ({
  churn: { every: milliseconds, recreates: false, objects: [[PODS, pod]] },
});
const MIXED: Partial<Workload> = {
  churn: {
    every: 1000,
    recreates: true,
    objects: [
      ['/api/v1/nodes', { status: statusOf({}) }],
      [PODS, UNSCHEDULABLE],
      [`/api/v1/namespaces/${BEFORE}/services`, { spec: { selector: { app: 'foo' }, ports: [{ port: 8080 }] } }],
    ],
  },
};

function spreading(whenUnsatisfiable: string): JsonObject {
  const constraint = { maxSkew: 5, topologyKey: ZONE, whenUnsatisfiable, labelSelector: { matchLabels: BLUE } };
  return { topologySpreadConstraints: [constraint] };
}

const ONE_ZONE = { zones: ['zone1'] };
const THREE_ZONES = { zones: ['moon-1', 'moon-2', 'moon-3'] };
const TEAM = { namespaceLabels: { team: 'devops' }, ...ONE_ZONE };

/**
 * Upstream's workloads, scaled to the number of nodes. Each has the pods placed first as a share of the nodes, their template, and the
 * measured template.
 */
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
  ['SchedulingDaemonset', 0, DAEMON, DAEMON, { hasNamedNode: true }],
  ['PreemptionBasic', 4, LOW, HIGH],
  ['PreemptionAsync', 4, LOW, POD.plain, every(200, HIGH)],
  ['Unschedulable', 0.02, POD.plain, POD.plain, every(200, UNSCHEDULABLE)],
  ['SchedulingWithMixedChurn', 0, POD.plain, POD.plain, MIXED],
  ['SchedulingWithExtendedResource', 0, WITH_EXTENDED, WITH_EXTENDED, { extended: EXTENDED }],
  [
    'SchedulingWhileGated',
    0,
    LIGHT,
    LIGHT,
    { nodes: 0, hasNamedNode: true, waiting: { namespace: BEFORE, count: 2 * MOST, pod: GATED } },
  ],
];

/** The number of pods to measure. Pods with anti-affinity need a node each, and evictions only make room for a few. */
function measuredPods(nodes: number, share: number, init: JsonObject, measured: JsonObject): number {
  if (init === LOW) return Math.min(MOST, nodes);
  const excludes = measured === POD.antiAffinity || measured === POD.teamAntiAffinity;
  return Math.min(MOST, excludes ? Math.floor(nodes * (0.9 - share)) : nodes * 4);
}

/** The workloads with this number of nodes. */
export const workloadsOf = (nodes: number): Workload[] =>
  SHAPES.map(([name, share, init, measured, more]) => ({
    name,
    nodes,
    init: [{ namespace: BEFORE, count: Math.floor(nodes * share), pod: init }],
    measured: { namespace: MEASURED, count: measuredPods(nodes, share, init, measured), pod: measured },
    ...more,
  }));

/** The name of a node by its index. */
export const nodeNameOf = (i: number): string => `scheduler-perf-${i}`;

function statusOf(more: JsonObject): JsonObject {
  const amounts = { cpu: '4', memory: '32Gi', pods: '110', ...more };
  return { capacity: amounts, allocatable: amounts, conditions: [{ type: 'Ready', status: 'True' }] };
}

/** Upstream's node-default template. */
export function nodeOf({ labels = {}, zones = [], extended = {} }: Workload, i: number): JsonObject {
  const zone = zones[i % zones.length];
  const name = nodeNameOf(i);
  const own = { [HOST]: name, ...(zone === undefined ? {} : { [ZONE]: zone }), ...labels };
  return { metadata: { name, labels: own }, status: statusOf(extended) };
}

/** The node NAMED_NODE. */
export const namedNode: JsonObject = { metadata: { name: NAMED_NODE }, status: statusOf({ pods: '90000' }) };
