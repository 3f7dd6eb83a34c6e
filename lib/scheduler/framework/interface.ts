import type { Client } from '#lib/client/client.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import type { CycleState } from './cycle-state.ts';
import type { ClusterEventWithHint } from './events.ts';
import type { Extender } from './extender.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { Outcome, Status } from './status.ts';

export const MIN_NODE_SCORE = 0;
export const MAX_NODE_SCORE = 100;

/** A pod that waits for a node. */
export interface QueuedPodInfo {
  readonly podInfo: PodInfo;
  /** When it came into the queue this time: monotonic, milliseconds. */
  readonly timestamp: number;
  /** How often it was tried. */
  readonly attempts: number;
}

export interface NodeScore {
  readonly name: string;
  /** An integer. After NormalizeScore from MIN_NODE_SCORE to MAX_NODE_SCORE. */
  score: number;
}

/** Only these nodes are looked at. Undefined: all of them. */
export interface PreFilterResult {
  readonly nodeNames: ReadonlySet<string>;
}

/** What PreFilter found: which nodes come into question, or why none. */
export interface PreFiltered {
  readonly result?: PreFilterResult;
  readonly status?: Status;
}

/** Follows what would be so if a pod were added to a node or taken off it: preemption and nominated pods. */
export interface PreFilterExtensions {
  addPod(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): Outcome;
  removePod(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): Outcome;
}

/** A pod is to go to this node once who is on its way out has left. An empty name takes a nomination back. */
export interface PostFilterResult {
  readonly nominatedNodeName: string;
}

/** Each node that was refused and why: where PreFilter refused the pod, all of them. What is not in it was not looked at. */
export type NodeToStatus = ReadonlyMap<string, Status>;

/** What is known of objects of one resource. */
export interface Lister {
  /** An empty namespace for the cluster's own. */
  get(namespace: string, name: string): JsonObject | undefined;
  list(namespace?: string): Iterable<JsonObject>;
}

/** Resources that plugins look things up in, under their plural names; each is of its stable group and version. */
export type Listed =
  | 'namespaces'
  | 'pods'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'storageclasses'
  | 'csinodes'
  | 'csidrivers'
  | 'csistoragecapacities'
  | 'volumeattachments'
  | 'poddisruptionbudgets'
  | 'services'
  | 'replicationcontrollers'
  | 'replicasets'
  | 'statefulsets'
  | 'resourceclaims'
  | 'resourceslices'
  | 'deviceclasses';

/** The nodes as they were when the attempt began, with what was decided since. */
export interface Snapshot {
  /** All of them, in the order in which they are looked at. */
  readonly nodes: readonly NodeInfo[];
  get(name: string): NodeInfo | undefined;
  /** Those with a pod that has affinity or anti-affinity to others, of whatever kind. */
  readonly withAffinity: readonly NodeInfo[];
  /** Those with a pod that must not be beside some others. */
  readonly withRequiredAntiAffinity: readonly NodeInfo[];
}

/** What a plugin may use: upstream's framework.Handle. */
export interface Handle {
  snapshot(): Snapshot;
  lister(resource: Listed): Lister;
  readonly client: Client;
  readonly clock: Clock;
  /** Aborts when the scheduler ends: nothing is waited for any more. */
  readonly signal: AbortSignal;
  /** Numbers from 0 to below 1. */
  random(): number;
  readonly nominator: Nominator;
  readonly extenders: readonly Extender[];
  /** Filters of the profile with those pods in place that are nominated for the node and come first. */
  runFilterPluginsWithNominatedPods(state: CycleState, pod: PodInfo, node: NodeInfo): Steps<Outcome>;
  runPreFilterExtensionAddPod(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): Outcome;
  runPreFilterExtensionRemovePod(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): Outcome;
  /** Takes its node from a pod that waits in Permit, or is in PreBind. False where there is none such, or it was too late. */
  preemptUnbound(uid: string, pluginName: string): boolean;
  /** Has a pod that found no node tried again now. */
  activate(pod: JsonObject): void;
  /** Work that outlives the attempt: who runs the scheduler waits for it before it ends, and reports what it throws. */
  inBackground(work: Promise<void>): void;
  /** Writes an Event about the pod. Never throws. */
  record(pod: JsonObject, event: PodEvent): void;
}

/** What an Event says of a pod. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly message: string;
  /** The other object that it is about. */
  readonly related?: JsonObject;
}

/** Pods that wait for others to leave a node. */
export interface Nominator {
  nominatedPodsForNode(nodeName: string): readonly PodInfo[];
  /** Forgets a nomination. */
  deleteNominatedPod(pod: JsonObject): void;
}

/**
 * A plugin: its name, and the extension points that it has, under upstream's names (KEP-624, docs "Scheduling Framework"). What looks is
 * synchronous and pure over the handle; what writes gives a promise. A refusal is a Status; a throw counts as status Error.
 */
export interface Plugin {
  readonly name: string;
  /** Changes that may make a pod schedulable which this plugin refused. */
  eventsToRegister?(): readonly ClusterEventWithHint[];
  /** Whether the pod may be queued at all. */
  preEnqueue?(pod: PodInfo): Outcome;
  /** Whether `a` is tried before `b`. */
  less?(a: QueuedPodInfo, b: QueuedPodInfo): boolean;
  preFilter?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): PreFiltered;
  readonly preFilterExtensions?: PreFilterExtensions;
  filter?(state: CycleState, pod: PodInfo, node: NodeInfo): Outcome;
  /** The same with pauses, where a look at one node may take long. */
  filterSteps?(state: CycleState, pod: PodInfo, node: NodeInfo): Steps<Outcome>;
  postFilter?(
    state: CycleState,
    pod: PodInfo,
    filtered: NodeToStatus,
  ): Promise<{ result?: PostFilterResult; status?: Status }>;
  preScore?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Outcome;
  /** An integer, or a fault. */
  score?(state: CycleState, pod: PodInfo, node: NodeInfo): number | Status;
  /** Brings scores into their range, in place. */
  normalizeScore?(state: CycleState, pod: PodInfo, scores: NodeScore[]): Outcome;
  reserve?(state: CycleState, pod: PodInfo, nodeName: string): Outcome;
  /** Takes back what `reserve` did; safe where that has not run. */
  unreserve?(state: CycleState, pod: PodInfo, nodeName: string): void;
  /** `Wait` with milliseconds: until another says allow or reject, or the time is over. */
  permit?(state: CycleState, pod: PodInfo, nodeName: string): { status?: Status; timeout?: number };
  /** `Skip` where preBind has nothing to do for this pod: then it does not run. Absent, it runs, and the node is not named before. */
  preBindPreFlight?(state: CycleState, pod: PodInfo, nodeName: string): Outcome;
  preBind?(state: CycleState, pod: PodInfo, nodeName: string): Promise<Outcome>;
  /** `Skip` where another is to bind this pod. */
  bind?(state: CycleState, pod: PodInfo, nodeName: string): Promise<Outcome>;
  postBind?(state: CycleState, pod: PodInfo, nodeName: string): void;
}

/** Makes a plugin for a profile from its decoded arguments (`KubeSchedulerConfiguration` pluginConfig). */
export type PluginFactory<Args> = (args: Args, handle: Handle) => Plugin;
