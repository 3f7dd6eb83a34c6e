import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { NodeInfo } from './node-info.ts';

/** Pods that would have to leave one node. */
export interface Victims {
  /** Most important first. */
  readonly pods: readonly JsonObject[];
  /** How many of them a disruption budget protects. */
  readonly pdbViolations: number;
}

/** What an extender left of the nodes. */
export interface ExtenderFiltered {
  readonly nodes: readonly NodeInfo[];
  /** Refused nodes and why, where leaving of pods may help. */
  readonly failed: ReadonlyMap<string, string>;
  /** The same where it does not. */
  readonly failedAndUnresolvable: ReadonlyMap<string, string>;
}

/** A process that has a say in where pods go (KEP-624's predecessor): upstream's Extender. What it cannot answer is thrown. */
export interface Extender {
  readonly name: string;
  /** What it does; what is false is not called. */
  readonly does: {
    readonly filter: boolean;
    readonly prioritize: boolean;
    readonly preempt: boolean;
    readonly bind: boolean;
  };
  /** Whether pods are placed without it while it does not answer. */
  readonly ignorable: boolean;
  /** By how much its scores count. */
  readonly weight: number;
  /** Whether the pod asks for a resource that it is there for. */
  isInterested(pod: JsonObject): boolean;
  filter(pod: JsonObject, nodes: readonly NodeInfo[]): Promise<ExtenderFiltered>;
  /** From 0 to 10, by name of the node. */
  prioritize(pod: JsonObject, nodes: readonly NodeInfo[]): Promise<ReadonlyMap<string, number>>;
  /** Of these candidates those that it agrees with, by name of the node; it may name other victims. */
  processPreemption(pod: JsonObject, candidates: ReadonlyMap<string, Victims>): Promise<ReadonlyMap<string, Victims>>;
  bind(pod: JsonObject, nodeName: string): Promise<void>;
}

/** What refused a pod where an extender did: it does not say what helps, so everything may. */
export const EXTENDER_PLUGIN = {
  name: 'Extender',
  eventsToRegister: () => [{ event: { resource: '*', actions: ['Add', 'Update', 'Delete'] } }] as const,
};
