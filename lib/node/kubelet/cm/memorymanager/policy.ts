import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { ContainerRef } from '../containermap.ts';
import type { TopologyHints } from '../topologymanager/hint-provider.ts';
import type { Block, MemoryState } from './state.ts';

/** Decides which memory containers have (upstream: memorymanager.Policy). The state is the caller's. */
export interface MemoryPolicy {
  /** As checkpoints have it: upstream writes it with a capital. */
  readonly name: string;
  /** Throws Error where the state does not fit the machine. */
  start(state: MemoryState): void;
  /** Throws Error where memory is missing. */
  allocate(state: MemoryState, pod: Pod, container: Container): void;
  removeContainer(state: MemoryState, ref: ContainerRef): void;
  topologyHints(state: MemoryState, pod: Pod, container: Container): TopologyHints;
  podTopologyHints(state: MemoryState, pod: Pod): TopologyHints;
  /** The memory of each node that containers may have. */
  allocatableMemory(state: MemoryState): Block[];
}

/** Lets all containers use memory of all nodes. */
export const noneMemoryPolicy: MemoryPolicy = {
  name: 'None',
  start: () => undefined,
  allocate: () => undefined,
  removeContainer: () => undefined,
  topologyHints: () => new Map(),
  podTopologyHints: () => new Map(),
  allocatableMemory: () => [],
};
