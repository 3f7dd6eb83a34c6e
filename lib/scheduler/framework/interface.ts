import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import type { CycleState } from './cycle-state.ts';
import type { ClusterEventWithHint } from './events.ts';
import type { Extender } from './extender.ts';
import type { NodeInfo } from './node-info.ts';
import type { KnownObjects, Listed, Lister } from './objects.ts';
import type { PodInfo } from './pod-info.ts';
import type { Outcome, Status } from './status.ts';

/** The lowest score of a node. */
export const MIN_NODE_SCORE = 0;
/** The highest score of a node, after normalization. */
export const MAX_NODE_SCORE = 100;

/** A pod that waits for a node. */
export interface QueuedPodInfo {
  readonly podInfo: PodInfo;
  /** When it entered the queue this time: monotonic, milliseconds. */
  readonly timestamp: number;
  /** The number of attempts so far. */
  readonly attempts: number;
}

/** A node and its score. */
export interface NodeScore {
  readonly name: string;
  /** An integer; after NormalizeScore from MIN_NODE_SCORE to MAX_NODE_SCORE. */
  score: number;
}

/** The only nodes that come into question. */
export interface PreFilterResult {
  readonly nodeNames: ReadonlySet<string>;
}

/** PreFilter's answer: the nodes that come into question, all if `result` is absent; or a refusal. */
export interface PreFiltered {
  readonly result?: PreFilterResult;
  readonly status?: Status;
}

/** Updates a plugin's state as if a pod were added to a node or removed from it, for preemption and nominated pods. */
export interface PreFilterExtensions {
  addPod(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): Outcome;
  removePod(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): Outcome;
}

/** The node that the pod takes once its victims have left. An empty name clears the nomination. */
export interface PostFilterResult {
  readonly nominatedNodeName: string;
}

/** The refused nodes and why; all nodes if PreFilter refused the pod. Nodes that were not looked at are not in it. */
export type NodeToStatus = ReadonlyMap<string, Status>;

/** The nodes as they were when the attempt began, with the decisions made since. */
export interface Snapshot {
  /** All nodes, in the order in which attempts look at them. */
  readonly nodes: readonly NodeInfo[];
  get(name: string): NodeInfo | undefined;
  /** The nodes with a pod that has any affinity or anti-affinity to other pods. */
  readonly withAffinity: readonly NodeInfo[];
  /** The nodes with a pod that has required anti-affinity. */
  readonly withRequiredAntiAffinity: readonly NodeInfo[];
}

/** The services that a plugin may use: upstream's framework.Handle. */
export interface Handle {
  snapshot(): Snapshot;
  lister<R extends Listed>(resource: R): Lister<KnownObjects[R]>;
  readonly client: Clientset;
  readonly clock: Clock;
  /** Aborts when the scheduler ends. */
  readonly signal: AbortSignal;
  /** Numbers from 0 to below 1. */
  random(): number;
  readonly nominator: Nominator;
  readonly extenders: readonly Extender[];
  /** Runs the profile's filters as if the nominated pods of higher or equal priority were on the node. */
  runFilterPluginsWithNominatedPods(state: CycleState, pod: PodInfo, node: NodeInfo): Steps<Outcome>;
  runPreFilterExtensionAddPod(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): Outcome;
  runPreFilterExtensionRemovePod(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): Outcome;
  /** Takes the node from a pod that waits in Permit or is in PreBind. Returns false if no such pod exists, or if it was too late. */
  preemptUnbound(uid: string, pluginName: string): boolean;
  /** Tries a pod that found no node again now. */
  activate(pod: Pod): void;
  /** Work that outlives the attempt: the scheduler waits for it before it ends, and reports its errors. */
  inBackground(work: Promise<void>): void;
  /** Writes an Event about the pod. Never throws. */
  record(pod: Pod, event: PodEvent): void;
}

/** The fields of an Event about a pod. */
export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly message: string;
  /** The other pod that the event is about. */
  readonly related?: Pod;
}

/** Pods that are nominated for a node and wait for their victims to leave it. */
export interface Nominator {
  nominatedPodsForNode(nodeName: string): readonly PodInfo[];
  /** Forgets a nomination. */
  deleteNominatedPod(pod: Pod): void;
}

/**
 * A plugin: its name and its extension points, under upstream's names (KEP-624, docs "Scheduling Framework"). Points that read are
 * synchronous and pure over the handle; points that write return a promise. A refusal is a Status; a throw counts as status Error.
 */
export interface Plugin {
  readonly name: string;
  /** Changes that may make a pod that this plugin refused schedulable. */
  eventsToRegister?(): readonly ClusterEventWithHint[];
  /** Whether the pod may enter the queue at all. */
  preEnqueue?(pod: PodInfo): Outcome;
  /** Whether `a` is tried before `b`. */
  less?(a: QueuedPodInfo, b: QueuedPodInfo): boolean;
  preFilter?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): PreFiltered;
  readonly preFilterExtensions?: PreFilterExtensions;
  filter?(state: CycleState, pod: PodInfo, node: NodeInfo): Outcome;
  /** As `filter`, with pauses, if one node may take long. */
  filterSteps?(state: CycleState, pod: PodInfo, node: NodeInfo): Steps<Outcome>;
  postFilter?(
    state: CycleState,
    pod: PodInfo,
    filtered: NodeToStatus,
  ): Promise<{ result?: PostFilterResult; status?: Status }>;
  preScore?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Outcome;
  /** An integer, or an error. */
  score?(state: CycleState, pod: PodInfo, node: NodeInfo): number | Status;
  /** Brings scores into the range of scores, in place. */
  normalizeScore?(state: CycleState, pod: PodInfo, scores: NodeScore[]): Outcome;
  reserve?(state: CycleState, pod: PodInfo, nodeName: string): Outcome;
  /** Undoes `reserve`; safe if that has not run. */
  unreserve?(state: CycleState, pod: PodInfo, nodeName: string): void;
  /** `Wait` with milliseconds: the pod waits until a plugin allows or rejects it, or until the time is over. */
  permit?(state: CycleState, pod: PodInfo, nodeName: string): { status?: Status; timeout?: number };
  /** `Skip` if preBind has nothing to do for this pod. If absent, preBind runs, and the node is not nominated before. */
  preBindPreFlight?(state: CycleState, pod: PodInfo, nodeName: string): Outcome;
  preBind?(state: CycleState, pod: PodInfo, nodeName: string): Promise<Outcome>;
  /** `Skip` if another plugin is to bind this pod. */
  bind?(state: CycleState, pod: PodInfo, nodeName: string): Promise<Outcome>;
  postBind?(state: CycleState, pod: PodInfo, nodeName: string): void;
}

/** Makes a plugin for a profile, given its decoded arguments (`KubeSchedulerConfiguration` pluginConfig). */
export type PluginFactory<Args> = (args: Args, handle: Handle) => Plugin;
