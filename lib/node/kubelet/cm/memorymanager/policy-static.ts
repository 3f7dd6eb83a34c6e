import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { qosClassOf } from '../../qos/policy.ts';
import { containersOf } from '../active-containers.ts';
import type { ContainerRef } from '../containermap.ts';
import { isPodLevel } from '../cpumanager/guaranteed-cpus.ts';
import type { NumaNode } from '../machine-topology.ts';
import { type BitMask, bitMask, bitsOf } from '../topologymanager/bitmask.ts';
import type { AffinityStore, TopologyHint, TopologyHints } from '../topologymanager/hint-provider.ts';
import { bestHint, type MemoryHint, memoryHints, satisfies, violatesGroups } from './hints.ts';
import { cloneMachineState, defaultMachineState, expectedMachineState, isSameMachineState } from './machine-state.ts';
import type { MemoryPolicy } from './policy.ts';
import { containerMemory, podMemory, type RequestedMemory } from './requested-memory.ts';
import type { SystemReservedMemory } from './reserved-memory.ts';
import { allocateBlock, type Block, type MemoryState, releaseBlock } from './state.ts';

/** The settings of the static policy. */
export interface StaticMemoryConfig {
  readonly nodes: readonly NumaNode[];
  readonly reserved: SystemReservedMemory;
  readonly affinity: AffinityStore;
}

/** Assigns memory from as few NUMA nodes as possible to containers of Guaranteed pods (upstream: memorymanager's static policy). */
export class StaticMemoryPolicy implements MemoryPolicy {
  readonly name = 'Static';
  readonly #config: StaticMemoryConfig;
  /** Memory in bytes that later containers of the pod being admitted can reuse from its init containers, by nodes and kind. */
  #reusable: { readonly podUID: string; readonly bytes: Map<string, number> } = { podUID: '', bytes: new Map() };

  /** Throws Error with upstream's text if no memory is reserved for the system. */
  constructor(config: StaticMemoryConfig) {
    const total = [...config.reserved.values()].reduce((sum, own) => sum + (own.get('memory') ?? 0), 0);
    if (total <= 0) throw new Error('[memorymanager] you should specify the system reserved memory');
    this.#config = config;
  }

  start(state: MemoryState): void {
    const empty = defaultMachineState(this.#config.nodes, this.#config.reserved);
    if (state.machine.size === 0) {
      if (state.assignments.size > 0)
        throw new Error('[memorymanager] machine state can not be empty when it has memory assignments');
      state.machine = empty;
      return;
    }
    if (!isSameMachineState(state.machine, expectedMachineState(empty, state.assignments)))
      throw new Error('[memorymanager] the expected machine state is different from the real one');
  }

  allocate(state: MemoryState, pod: Pod, container: Container): void {
    if (qosClassOf(pod) !== 'Guaranteed' || isPodLevel(pod)) return;
    const ref = refOf(pod, container);
    const present = state.blocks(ref);
    if (present !== undefined) {
      this.#updateReusable(pod, container, present);
      return;
    }
    const requested = containerMemory(container);
    const affinity = this.#affinityFor(state, ref, requested);
    const machine = cloneMachineState(state.machine);
    const blocks = [...requested].map(([type, size]): Block => ({ numaAffinity: bitsOf(affinity), type, size }));
    for (const block of blocks) {
      const reused = this.#reusableOf(ref.podUID, affinity, block.type);
      allocateBlock(machine, { ...block, size: Math.max(0, block.size - reused) });
    }
    this.#updateReusable(pod, container, blocks);
    state.machine = machine;
    state.setBlocks(ref, blocks);
    shrinkInitBlocks(state, pod, { container, blocks });
  }

  removeContainer(state: MemoryState, ref: ContainerRef): void {
    const blocks = state.blocks(ref);
    if (blocks === undefined) return;
    state.delete(ref);
    for (const block of blocks) releaseBlock(state.machine, block);
  }

  topologyHints(state: MemoryState, pod: Pod, container: Container): TopologyHints {
    if (qosClassOf(pod) !== 'Guaranteed' || isPodLevel(pod)) return new Map();
    const requested = containerMemory(container);
    const blocks = state.blocks(refOf(pod, container));
    return blocks === undefined ? this.#hints(state, pod, requested) : regenerated(blocks, requested);
  }

  podTopologyHints(state: MemoryState, pod: Pod): TopologyHints {
    if (qosClassOf(pod) !== 'Guaranteed' || isPodLevel(pod)) return new Map();
    const requested = podMemory(pod);
    if (requested.size === 0) return new Map();
    for (const container of containersOf(pod)) {
      const blocks = state.blocks(refOf(pod, container));
      if (blocks !== undefined) return regenerated(blocks, requested);
    }
    return this.#hints(state, pod, requested);
  }

  allocatableMemory(state: MemoryState): Block[] {
    return [...state.machine].flatMap(([id, { memoryMap }]) =>
      [...memoryMap]
        .filter(([, { allocatable }]) => allocatable > 0)
        .map(([type, { allocatable }]) => ({ numaAffinity: [id], type, size: allocatable })),
    );
  }

  /** The nodes of the topology manager's hint. Adds nodes if their memory is not enough. */
  #affinityFor(state: MemoryState, ref: ContainerRef, requested: RequestedMemory): BitMask {
    const { machine } = state;
    const hint = this.#config.affinity.getAffinity(ref.podUID, ref.containerName);
    const all = (): MemoryHint[] => this.#hintsOf(state, ref.podUID, requested);
    let { affinity } = hint;
    let { preferred } = hint;
    if (affinity === undefined) {
      const found = bestHint(all());
      const failed =
        '[memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available';
      if (found === undefined) throw new Error(failed);
      if (preferred && !found.preferred) throw new Error('[memorymanager] failed to find the default preferred hint');
      ({ affinity, preferred } = found);
    }
    const wanted = affinity;
    if (!satisfies(machine, wanted, requested)) {
      const found = bestHint(all().filter((one) => (one.affinity & wanted) === wanted));
      if (found === undefined)
        throw new Error('[memorymanager] failed to find NUMA nodes to extend the current topology hint');
      if (preferred && !found.preferred) throw new Error('[memorymanager] failed to find the extended preferred hint');
      ({ affinity } = found);
    }
    if (violatesGroups(machine, affinity))
      throw new Error('[memorymanager] preferred hint violates NUMA node allocation');
    return affinity;
  }

  #hints(state: MemoryState, pod: Pod, requested: RequestedMemory): TopologyHints {
    const hints = this.#hintsOf(state, pod.metadata.uid ?? '', requested);
    return hints.length === 0 ? new Map() : new Map([...requested.keys()].map((name) => [name, hints]));
  }

  #hintsOf({ machine }: MemoryState, podUID: string, requested: RequestedMemory): MemoryHint[] {
    return memoryHints(machine, requested, (mask, name) => this.#reusableOf(podUID, mask, name));
  }

  #reusableOf(podUID: string, mask: BitMask, name: string): number {
    return this.#reusable.podUID === podUID ? (this.#reusable.bytes.get(`${mask} ${name}`) ?? 0) : 0;
  }

  #updateReusable(pod: Pod, container: Container, blocks: readonly Block[]): void {
    const podUID = pod.metadata.uid ?? '';
    if (this.#reusable.podUID !== podUID) this.#reusable = { podUID, bytes: new Map() };
    const { bytes } = this.#reusable;
    const init = pod.spec.initContainers?.find(({ name }) => name === container.name);
    const ends = init !== undefined && !isSidecar(init);
    for (const { numaAffinity, type, size } of blocks) {
      const key = `${bitMask(...numaAffinity)} ${type}`;
      const before = bytes.get(key) ?? 0;
      bytes.set(key, ends ? Math.max(before, size) : Math.max(0, before - size));
    }
  }
}

const refOf = ({ metadata }: Pod, { name }: Container): ContainerRef => ({
  podUID: metadata.uid ?? '',
  containerName: name,
});

/** The hints for the allocated blocks. No preference if they differ from the request. */
function regenerated(blocks: readonly Block[], requested: RequestedMemory): TopologyHints {
  const fits = blocks.length === requested.size && blocks.every(({ type, size }) => requested.get(type) === size);
  if (!fits) return new Map();
  return new Map(
    blocks.map(({ type, numaAffinity }): [string, TopologyHint[]] => [
      type,
      [{ affinity: bitMask(...numaAffinity), preferred: true }],
    ]),
  );
}

/** Subtracts the memory that a container reuses from its init containers, so that the sum is the memory of the pod. */
function shrinkInitBlocks(
  state: MemoryState,
  { metadata, spec }: Pod,
  { container, blocks }: { readonly container: Container; readonly blocks: readonly Block[] },
): void {
  for (const { type, size, numaAffinity } of blocks) {
    let left = size;
    for (const init of spec.initContainers ?? []) {
      if (init.name === container.name || left === 0) break;
      const ref = { podUID: metadata.uid ?? '', containerName: init.name };
      const own = state.blocks(ref);
      if (isSidecar(init) || own === undefined) continue;
      const shrunk = own.map((block) => {
        if (block.type !== type || bitMask(...block.numaAffinity) !== bitMask(...numaAffinity)) return block;
        const taken = Math.min(left, block.size);
        left -= taken;
        return { ...block, size: block.size - taken };
      });
      state.setBlocks(ref, shrunk);
    }
  }
}
