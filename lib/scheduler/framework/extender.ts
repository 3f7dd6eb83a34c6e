import type { Pod } from '#lib/api/types/core.v1.ts';
import type { NodeInfo } from './node-info.ts';

/** Pods that would have to leave one node. */
export interface Victims {
  /** Most important first. */
  readonly pods: readonly Pod[];
  /** The number of them that a disruption budget protects. */
  readonly pdbViolations: number;
}

/** An extender's answer to a filter call. */
export interface ExtenderFiltered {
  readonly nodes: readonly NodeInfo[];
  /** Refused nodes and why, if preemption may help. */
  readonly failed: ReadonlyMap<string, string>;
  /** The same if preemption does not help. */
  readonly failedAndUnresolvable: ReadonlyMap<string, string>;
}

/** A process that decides along with the plugins (KEP-624's predecessor): upstream's Extender. Its failures are thrown. */
export interface Extender {
  readonly name: string;
  /** Its verbs; one that is false is not called. */
  readonly does: {
    readonly filter: boolean;
    readonly prioritize: boolean;
    readonly preempt: boolean;
    readonly bind: boolean;
  };
  /** Pods are placed without it while it does not answer. */
  readonly ignorable: boolean;
  /** The factor of its scores. */
  readonly weight: number;
  /** Whether the pod asks for a resource that the extender manages. */
  isInterested(pod: Pod): boolean;
  filter(pod: Pod, nodes: readonly NodeInfo[]): Promise<ExtenderFiltered>;
  /** Scores from 0 to 10, by name of the node. */
  prioritize(pod: Pod, nodes: readonly NodeInfo[]): Promise<ReadonlyMap<string, number>>;
  /** The candidates that it agrees with, by name of the node; it may name other victims. */
  processPreemption(pod: Pod, candidates: ReadonlyMap<string, Victims>): Promise<ReadonlyMap<string, Victims>>;
  bind(pod: Pod, nodeName: string): Promise<void>;
}

/** Stands for the extender that refused a pod. It registers no events of its own, so any change may help. */
export const EXTENDER_PLUGIN = {
  name: 'Extender',
  eventsToRegister: () => [{ event: { resource: '*', actions: ['Add', 'Update', 'Delete'] } }] as const,
};
