import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { ContainerRef } from '../containermap.ts';
import type { TopologyHints } from '../topologymanager/hint-provider.ts';
import type { Block, MemoryState } from './state.ts';

/** Decides which memory containers have (upstream: memorymanager.Policy). The caller owns the state. */
export interface MemoryPolicy {
  /** The name in checkpoints. Upstream capitalizes it. */
  readonly name: string;
  /** Throws Error if the state does not match the machine. */
  start(state: MemoryState): void;
  /** Throws Error if there is too little memory. */
  allocate(state: MemoryState, pod: Pod, container: Container): void;
  removeContainer(state: MemoryState, ref: ContainerRef): void;
  topologyHints(state: MemoryState, pod: Pod, container: Container): TopologyHints;
  podTopologyHints(state: MemoryState, pod: Pod): TopologyHints;
  /** The allocatable memory of each node. */
  allocatableMemory(state: MemoryState): Block[];
}

/** Lets all containers use the memory of all nodes. */
export const noneMemoryPolicy: MemoryPolicy = {
  name: 'None',
  start: () => undefined,
  allocate: () => undefined,
  removeContainer: () => undefined,
  topologyHints: () => new Map(),
  podTopologyHints: () => new Map(),
  allocatableMemory: () => [],
};
