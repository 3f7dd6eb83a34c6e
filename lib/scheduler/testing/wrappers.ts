import { decodedAs } from '#lib/api/testing.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { Cache } from '../backend/cache/cache.ts';
import { newSnapshot } from '../backend/cache/snapshot.ts';
import { QueueingHints } from '../backend/queue/queueing-hints.ts';
import type { Extender } from '../framework/extender.ts';
import type { Handle, Snapshot } from '../framework/interface.ts';
import { newNodeInfo } from '../framework/new-node-info.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { KnownObjects, Listed, Lister } from '../framework/objects.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { podInfoOf } from '../framework/pod-info-of.ts';
import type { ExtensionPoints } from '../framework/runtime/extension-points.ts';
import type { Framework } from '../framework/runtime/framework.ts';
import type { Outcome } from '../framework/status.ts';
import { WATCHED } from '../resources.ts';

/** The fields of a pod that a test sets. All others are minimal. */
export interface PodOf {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  /** Merged into a spec with one container that has `requests` and `hostPorts`. */
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
  /** The requests of its only container. */
  readonly requests?: JsonObject;
  /** The host ports of its only container. */
  readonly hostPorts?: readonly number[];
  readonly nodeName?: string;
  readonly priority?: number;
  /** An RFC 3339 time. */
  readonly created?: string;
  /** An RFC 3339 time. */
  readonly deleted?: string;
  readonly metadata?: JsonObject;
}

/** A pod as returned by the API server. By default its uid is its name. */
export function aPod(of: PodOf = {}): Pod {
  const { name = 'pod', namespace = 'default', requests, hostPorts = [], nodeName, priority, spec } = of;
  const ports = hostPorts.map((hostPort) => ({ containerPort: hostPort, hostPort, protocol: 'TCP' }));
  const container: JsonObject = {
    name: 'c',
    image: 'image',
    ...(ports.length === 0 ? {} : { ports }),
    ...(requests === undefined ? {} : { resources: { requests } }),
  };
  return decodedAs(PODS, {
    metadata: { name, namespace, uid: of.uid ?? name, ...metadataOf(of) },
    spec: {
      schedulerName: 'default-scheduler',
      containers: [container],
      ...defined({ nodeName, priority }),
      ...spec,
    },
    ...defined({ status: of.status }),
  });
}

function metadataOf({ labels, annotations, created, deleted, metadata }: PodOf): JsonObject {
  return {
    ...defined({ labels, annotations, creationTimestamp: created, deletionTimestamp: deleted }),
    ...metadata,
  };
}

/** The object in version 1, as a scheduler receives it from the API server. */
export const versioned = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...objectAt(object, 'metadata'), resourceVersion: '1', generation: 1 },
});

/** The info of a pod of a test. */
export const aPodInfo = (of: PodOf = {}): PodInfo => podInfoOf(aPod(of));

/** The fields of a node that a test sets. */
export interface NodeOf {
  readonly name?: string;
  readonly labels?: JsonObject;
  readonly annotations?: JsonObject;
  readonly taints?: JsonObject[];
  readonly unschedulable?: boolean;
  /** Sets both capacity and allocatable. */
  readonly capacity?: JsonObject;
  /** By default equal to the capacity. */
  readonly allocatable?: JsonObject;
  /** The sizes of images in bytes, by name. */
  readonly images?: Readonly<Record<string, number>>;
  readonly status?: JsonObject;
}

/** A node of a test. */
export function aNode(of: NodeOf = {}): Node {
  const { name = 'node', labels, annotations, taints, unschedulable, capacity, images } = of;
  const allocatable = of.allocatable ?? capacity;
  return decodedAs(NODES, {
    metadata: {
      name,
      uid: name,
      ...defined({ labels, annotations }),
    },
    spec: defined({ taints, unschedulable }),
    status: {
      ...defined({ capacity, allocatable }),
      ...(images === undefined
        ? {}
        : { images: Object.entries(images).map(([image, sizeBytes]) => ({ names: [image], sizeBytes })) }),
      ...of.status,
    },
  });
}

/** A node with pods on it. */
export const aNodeInfo = (of: NodeOf = {}, ...pods: Pod[]): NodeInfo => newNodeInfo(aNode(of), pods.map(podInfoOf));

/** A snapshot of nodes with their pods. Images are counted over all nodes. */
export function aSnapshot(nodes: readonly Node[], pods: readonly Pod[] = []): Snapshot {
  const cache = new Cache();
  for (const node of nodes) cache.setNode(node);
  for (const pod of pods) cache.setPod(podInfoOf(pod), nodeNameOf(pod));
  return cache.takeSnapshot();
}

/** A lister over these objects. */
export function aLister<T extends JsonObject>(objects: readonly T[] = []): Lister<T> {
  return {
    get: (namespace, name) => objects.find((one) => namespaceOf(one) === namespace && nameOf(one) === name),
    list: (namespace) => objects.filter((one) => namespace === undefined || namespaceOf(one) === namespace),
  };
}

/** The parts of a handle that a test sets. */
export interface HandleOf {
  readonly snapshot?: Snapshot;
  /** Objects by resource plural. Absent fields get the decoder's values. */
  readonly objects?: { readonly [R in Listed]?: readonly JsonObject[] };
  readonly client?: Client;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly random?: () => number;
  /** The nominated pods, by node. */
  readonly nominated?: Readonly<Record<string, readonly PodInfo[]>>;
  readonly extenders?: readonly Extender[];
  /** Absent functions do nothing. */
  readonly run?: Partial<
    Pick<
      Handle,
      'runFilterPluginsWithNominatedPods' | 'runPreFilterExtensionAddPod' | 'runPreFilterExtensionRemovePod' | 'record'
    >
  >;
}

/** A filter that returns its result after one pause. */
export function* inOneStep(filter: () => Outcome): Steps<Outcome> {
  yield;
  return filter();
}

/** Decodes the given objects, each once. */
function decoding(): <R extends Listed>(resource: R, given: JsonObject) => KnownObjects[R] {
  const known = new Map<JsonObject, JsonObject>();
  return (resource, given) => {
    const { resource: of } = WATCHED[resource];
    const object = known.get(given) ?? decodedAs<JsonObject>(of, given);
    known.set(given, object);
    return typedObject(of, object);
  };
}

/** A handle for the tests of one plugin. */
export function aHandle(of: HandleOf = {}): Handle {
  const { snapshot = newSnapshot([]), objects = {}, nominated = {} } = of;
  const decoded = decoding();
  return {
    snapshot: () => snapshot,
    lister: (resource) => aLister((objects[resource] ?? []).map((one) => decoded(resource, one))),
    client: clientset(of.client ?? NO_CLIENT),
    clock: of.clock ?? new ManualClock(),
    signal: of.signal ?? new AbortController().signal,
    random: of.random ?? (() => 0),
    nominator: {
      nominatedPodsForNode: (name) => nominated[name] ?? [],
      deleteNominatedPod() {},
    },
    extenders: of.extenders ?? [],
    runFilterPluginsWithNominatedPods: () => inOneStep(() => undefined),
    runPreFilterExtensionAddPod: () => undefined,
    runPreFilterExtensionRemovePod: () => undefined,
    preemptUnbound: () => false,
    activate() {},
    inBackground() {},
    record() {},
    ...of.run,
  };
}

/** A profile without plugins, except for the given parts. */
export const aFramework = (given: Partial<Framework> = {}): Framework => ({
  profileName: 'default-scheduler',
  percentageOfNodesToScore: undefined,
  points: NO_PLUGINS,
  weights: new Map(),
  hints: new QueueingHints([]),
  handle: aHandle(),
  ...given,
});

const NO_PLUGINS: ExtensionPoints = {
  preEnqueue: [],
  queueSort: [],
  preFilter: [],
  filter: [],
  postFilter: [],
  preScore: [],
  score: [],
  reserve: [],
  permit: [],
  preBind: [],
  bind: [],
  postBind: [],
};

const refuse = (): Promise<never> => Promise.reject(new Error('this plugin was given no client'));

const NO_CLIENT: Client = {
  get: refuse,
  list: refuse,
  create: refuse,
  update: refuse,
  patch: refuse,
  apply: refuse,
  delete: refuse,
  document: refuse,
};
