import type { Pod } from '#lib/api/types/core.v1.ts';
import type { NodeInfo } from './node-info.ts';

/** The pods to evict from one node. */
export interface Victims {
  /** Sorted by importance, the highest first. */
  readonly pods: readonly Pod[];
  /** The number of these pods that a disruption budget protects. */
  readonly pdbViolations: number;
}

/** An extender's response to a filter call. */
export interface ExtenderFiltered {
  readonly nodes: readonly NodeInfo[];
  /** Refused nodes and reasons, if preemption may help. */
  readonly failed: ReadonlyMap<string, string>;
  /** Refused nodes and reasons, if preemption does not help. */
  readonly failedAndUnresolvable: ReadonlyMap<string, string>;
}

/**
 * An external process that extends the scheduler (the predecessor of KEP-624): upstream's Extender. Its methods throw if the process fails.
 */
export interface Extender {
  readonly name: string;
  /** The verbs that it supports; a verb that is false is not called. */
  readonly does: {
    readonly filter: boolean;
    readonly prioritize: boolean;
    readonly preempt: boolean;
    readonly bind: boolean;
  };
  /** Whether pods are scheduled without the extender while it does not respond. */
  readonly ignorable: boolean;
  /** The multiplier of its scores. */
  readonly weight: number;
  /** Whether the pod requests a resource that the extender manages. */
  isInterested(pod: Pod): boolean;
  filter(pod: Pod, nodes: readonly NodeInfo[]): Promise<ExtenderFiltered>;
  /** Returns scores from 0 to 10 by node name. */
  prioritize(pod: Pod, nodes: readonly NodeInfo[]): Promise<ReadonlyMap<string, number>>;
  /** Returns the accepted candidates by node name. It may choose other victims. */
  processPreemption(pod: Pod, candidates: ReadonlyMap<string, Victims>): Promise<ReadonlyMap<string, Victims>>;
  bind(pod: Pod, nodeName: string): Promise<void>;
}

/** Represents extenders among the plugins that refused a pod. It registers no events, so any change may help. */
export const EXTENDER_PLUGIN = {
  name: 'Extender',
  eventsToRegister: () => [{ event: { resource: '*', actions: ['Add', 'Update', 'Delete'] } }] as const,
};
