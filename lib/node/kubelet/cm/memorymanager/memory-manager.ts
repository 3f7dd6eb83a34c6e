import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { CheckpointFile } from '../../checkpointmanager/checkpoint-file.ts';
import type { CheckpointStore } from '../../checkpointmanager/checkpoint-store.ts';
import { type PodView, refsOf, staleContainers } from '../active-containers.ts';
import { ContainerMap, type ContainerRef } from '../containermap.ts';
import { restoredState } from '../restored-state.ts';
import type { HintProvider, TopologyHints } from '../topologymanager/hint-provider.ts';
import { decodeMemoryState, encodeMemoryState, MEMORY_MANAGER_STATE } from './checkpoint.ts';
import type { MemoryPolicy } from './policy.ts';
import { type Block, MemoryState } from './state.ts';

/** The settings and ports of the memory manager. */
export interface MemoryManagerConfig {
  readonly policy: MemoryPolicy;
  readonly checkpoints: CheckpointStore;
  /** The checkpoint directory for error messages. */
  readonly directory: string;
  readonly pods: PodView;
  /** Called when the state cannot be written. The next change writes it again. */
  onFault(error: unknown): void;
}

/** Assigns memory of NUMA nodes to containers (upstream: memorymanager.Manager). */
export class MemoryManager implements HintProvider {
  readonly #config: MemoryManagerConfig;
  readonly #file: CheckpointFile;
  #state = new MemoryState();
  #containers = new ContainerMap();

  constructor(config: MemoryManagerConfig) {
    this.#config = config;
    this.#file = new CheckpointFile(config.checkpoints, MEMORY_MANAGER_STATE);
  }

  /** Restores the state. `containers` are those of the runtime. Rejects if the state is unusable, with a text that explains the fix. */
  async start(containers: ContainerMap): Promise<void> {
    const { policy, directory } = this.#config;
    this.#containers = containers;
    const names = { manager: 'memory', path: `${directory}/${MEMORY_MANAGER_STATE}` } as const;
    const decode = (bytes: Uint8Array) => decodeMemoryState(bytes, policy.name);
    this.#state = (await restoredState(this.#file, decode, names)) ?? this.#state;
    policy.start(this.#state);
    await this.#file.write(this.#text());
  }

  getTopologyHints(pod: Pod, container: Container): TopologyHints {
    this.#removeStaleState();
    return this.#config.policy.topologyHints(this.#state, pod, container);
  }

  getPodTopologyHints(pod: Pod): TopologyHints {
    this.#removeStaleState();
    return this.#config.policy.podTopologyHints(this.#state, pod);
  }

  async allocate(pod: Pod, container: Container): Promise<void> {
    this.#removeStaleState();
    const before = this.#text();
    this.#config.policy.allocate(this.#state, pod, container);
    if (this.#text() !== before) await this.#save();
  }

  /** Records the id of a starting container. Earlier init containers have terminated, so their memory is free. */
  addContainer(pod: Pod, container: Container, containerID: string): void {
    const podUID = pod.metadata.uid ?? '';
    this.#containers.add(podUID, container.name, containerID);
    const before = this.#text();
    for (const init of pod.spec.initContainers ?? []) {
      if (init.name === container.name) break;
      if (!isSidecar(init)) this.#remove({ podUID, containerName: init.name });
    }
    if (this.#text() !== before) void this.#save();
  }

  /** The NUMA nodes of the container's memory, in ascending order. Empty if it may use all nodes. */
  memoryNUMANodes(podUID: string, containerName: string): number[] {
    const nodes = this.memory(podUID, containerName).flatMap(({ numaAffinity }) => numaAffinity);
    return [...new Set(nodes)].sort((a, b) => a - b);
  }

  /** The memory blocks of the container. */
  memory(podUID: string, containerName: string): readonly Block[] {
    return this.#state.blocks({ podUID, containerName }) ?? [];
  }

  /** The allocatable memory of each node. */
  get allocatableMemory(): Block[] {
    return this.#config.policy.allocatableMemory(this.#state);
  }

  #removeStaleState(): void {
    const stale = staleContainers(this.#config.pods, [...refsOf(this.#state.assignments), ...this.#containers.refs()]);
    for (const ref of stale) this.#remove(ref);
    if (stale.length > 0) void this.#save();
  }

  #remove(ref: ContainerRef): void {
    this.#config.policy.removeContainer(this.#state, ref);
    this.#containers.removeByContainerRef(ref.podUID, ref.containerName);
  }

  #text(): string {
    return encodeMemoryState(this.#config.policy.name, this.#state);
  }

  #save(): Promise<void> {
    return this.#file.write(this.#text()).catch((error: unknown) => this.#config.onFault(error));
  }
}
