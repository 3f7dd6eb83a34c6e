import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Json } from '#lib/machinery/json-value.ts';
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
  /** The monotonic time in milliseconds of its last enqueue. */
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

/** The candidate nodes, if PreFilter limits them. */
export interface PreFilterResult {
  readonly nodeNames: ReadonlySet<string>;
}

/** PreFilter's result: the candidate nodes, all if `result` is absent, or a refusal. */
export interface PreFiltered {
  readonly result?: PreFilterResult;
  readonly status?: Status;
}

/** Updates a plugin's state as if a pod were added to or removed from a node, for preemption and nominated pods. */
export interface PreFilterExtensions {
  addPod(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): Outcome;
  removePod(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): Outcome;
}

/** The node for the pod after its victims have terminated. An empty name clears the nomination. */
export interface PostFilterResult {
  readonly nominatedNodeName: string;
}

/** The refused nodes and their statuses; all nodes if PreFilter refused the pod. Unchecked nodes are absent. */
export type NodeToStatus = ReadonlyMap<string, Status>;

/** The nodes at the start of the attempt, including the decisions made since then. */
export interface Snapshot {
  /** All nodes, in the order in which attempts check them. */
  readonly nodes: readonly NodeInfo[];
  get(name: string): NodeInfo | undefined;
  /** Increases whenever the nodes change. */
  readonly version: number;
  /** The indexes of the nodes that were replaced since that version; undefined if all nodes may have changed. */
  changedSince(version: number): readonly number[] | undefined;
  /** The nodes with a pod that has any affinity or anti-affinity to other pods. */
  readonly withAffinity: readonly NodeInfo[];
  /** The nodes with a pod that has required anti-affinity. */
  readonly withRequiredAntiAffinity: readonly NodeInfo[];
}

/** The services that the framework offers to plugins: upstream's framework.Handle. */
export interface Handle {
  snapshot(): Snapshot;
  lister<R extends Listed>(resource: R): Lister<KnownObjects[R]>;
  readonly client: Clientset;
  readonly clock: Clock;
  /** Aborts when the scheduler shuts down. */
  readonly signal: AbortSignal;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  readonly nominator: Nominator;
  readonly extenders: readonly Extender[];
  /** Runs the profile's filters as if nominated pods of higher or equal priority were on the node. */
  runFilterPluginsWithNominatedPods(state: CycleState, pod: PodInfo, node: NodeInfo): Steps<Outcome>;
  runPreFilterExtensionAddPod(state: CycleState, pod: PodInfo, added: PodInfo, node: NodeInfo): Outcome;
  runPreFilterExtensionRemovePod(state: CycleState, pod: PodInfo, removed: PodInfo, node: NodeInfo): Outcome;
  /** Cancels a pod that waits in Permit or is in PreBind. Returns false if no such pod exists, or if it is too late. */
  preemptUnbound(uid: string, pluginName: string): boolean;
  /** Retries an unschedulable pod now. */
  activate(pod: Pod): void;
  /** Runs work that outlives the attempt. The scheduler waits for it before it shuts down, and reports its errors. */
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
  /** The other pod involved in the event. */
  readonly related?: Pod;
}

/** Pods that are nominated for a node and wait for their victims to terminate. */
export interface Nominator {
  nominatedPodsForNode(nodeName: string): readonly PodInfo[];
  /** Removes a nomination. */
  deleteNominatedPod(pod: Pod): void;
}

/**
 * A plugin with its name and extension points, under upstream's names (KEP-624, docs "Scheduling Framework"). Extension points that only
 * read are synchronous and depend only on the handle. Those that write return a promise. A refusal is a Status. A thrown error counts as
 * status Error.
 */
export interface Plugin {
  readonly name: string;
  /** Changes that may make a pod refused by this plugin schedulable. */
  eventsToRegister?(): readonly ClusterEventWithHint[];
  /** Whether the pod may enter the queue. */
  preEnqueue?(pod: PodInfo): Outcome;
  /** Whether `a` is tried before `b`. */
  less?(a: QueuedPodInfo, b: QueuedPodInfo): boolean;
  preFilter?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): PreFiltered;
  readonly preFilterExtensions?: PreFilterExtensions;
  /**
   * Returns a value that is equal for pods for which `filter` and `score` return the same on the same state of a node: upstream's SignPod
   * (KEP-5598). The scheduler then keeps their results until the node changes. Undefined if they depend on anything else, such as other
   * nodes or objects.
   */
  sign?(pod: PodInfo): Json | undefined;
  filter?(state: CycleState, pod: PodInfo, node: NodeInfo): Outcome;
  /** `filter` in steps with pauses, for checks that may take long. */
  filterSteps?(state: CycleState, pod: PodInfo, node: NodeInfo): Steps<Outcome>;
  postFilter?(
    state: CycleState,
    pod: PodInfo,
    filtered: NodeToStatus,
  ): Promise<{ result?: PostFilterResult; status?: Status }>;
  preScore?(state: CycleState, pod: PodInfo, nodes: readonly NodeInfo[]): Outcome;
  /** Returns an integer, or an error status. */
  score?(state: CycleState, pod: PodInfo, node: NodeInfo): number | Status;
  /** Normalizes scores to the range of scores, in place. */
  normalizeScore?(state: CycleState, pod: PodInfo, scores: NodeScore[]): Outcome;
  reserve?(state: CycleState, pod: PodInfo, nodeName: string): Outcome;
  /** Undoes `reserve`. Safe to call if `reserve` has not run. */
  unreserve?(state: CycleState, pod: PodInfo, nodeName: string): void;
  /** With status `Wait`, the pod waits until a plugin allows or rejects it, for at most `timeout` milliseconds. */
  permit?(state: CycleState, pod: PodInfo, nodeName: string): { status?: Status; timeout?: number };
  /** `Skip` if preBind has no work for this pod. If absent, preBind runs and the pod's node is not nominated beforehand. */
  preBindPreFlight?(state: CycleState, pod: PodInfo, nodeName: string): Outcome;
  preBind?(state: CycleState, pod: PodInfo, nodeName: string): Promise<Outcome>;
  /** `Skip` leaves the binding to another plugin. */
  bind?(state: CycleState, pod: PodInfo, nodeName: string): Promise<Outcome>;
  postBind?(state: CycleState, pod: PodInfo, nodeName: string): void;
}

/** Creates a plugin for a profile from its decoded arguments (`KubeSchedulerConfiguration` pluginConfig). */
export type PluginFactory<Args> = (args: Args, handle: Handle) => Plugin;
