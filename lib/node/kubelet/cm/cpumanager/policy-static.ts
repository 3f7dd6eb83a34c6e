import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { containersOf } from '../active-containers.ts';
import { AdmissionError } from '../admission/errors.ts';
import { CPUSet } from '../cpuset.ts';
import { type BitMask, bitMasksOf, bitsOf, countOf, isSet } from '../topologymanager/bitmask.ts';
import type { AffinityStore, TopologyHint, TopologyHints } from '../topologymanager/hint-provider.ts';
import { takeDistributed, takePacked } from './cpu-assignment.ts';
import { guaranteedCPUs, isPodLevel, podGuaranteedCPUs } from './guaranteed-cpus.ts';
import type { StaticPolicyOptions } from './policy-options.ts';
import type { CPUState } from './state.ts';
import { type CPUTopology, cpusPer } from './topology.ts';
import { validateCPUState } from './validate-state.ts';

/** The settings of the static policy. */
export interface StaticPolicyConfig {
  readonly topology: CPUTopology;
  /** Number of CPUs reserved for the system. */
  readonly numReservedCPUs: number;
  /** The CPUs reserved for the system (`reservedSystemCPUs`). Empty to let the policy choose. */
  readonly reservedCPUs: CPUSet;
  readonly affinity: AffinityStore;
  readonly options: StaticPolicyOptions;
}

/** Assigns exclusive CPUs to containers of Guaranteed pods with integer CPU requests (upstream: cpumanager's static policy). */
export class StaticCPUPolicy {
  readonly name = 'static';
  readonly #topology: CPUTopology;
  readonly #affinity: AffinityStore;
  readonly #options: StaticPolicyOptions;
  readonly #reserved: CPUSet;
  /** The reserved CPUs and the CPUs that share a core with them. */
  readonly #reservedPhysical: CPUSet;
  readonly #cpusPerCore: number;
  /** CPUs of the admitted pod's init containers, which terminate before the next container runs. */
  #reusable: { readonly podUID: string; readonly cpus: CPUSet } = { podUID: '', cpus: new CPUSet() };

  /** Throws Error with upstream's text if the CPUs cannot be reserved. */
  constructor({ topology, numReservedCPUs, reservedCPUs, affinity, options }: StaticPolicyConfig) {
    this.#topology = topology;
    this.#affinity = affinity;
    this.#options = options;
    this.#cpusPerCore = cpusPer(topology, topology.numCores);
    this.#reserved = reservedCPUs.isEmpty ? this.#lowest(numReservedCPUs) : reservedCPUs;
    if (this.#reserved.size !== numReservedCPUs) {
      const sizes = `size of ${this.#reserved} did not equal ${numReservedCPUs}`;
      throw new Error(`[cpumanager] unable to reserve the required amount of CPUs (${sizes})`);
    }
    this.#reservedPhysical = topology.details.cpusIn('coreID', this.#coresOf(this.#reserved));
  }

  /** Fills an empty state. Throws Error with upstream's text if the state does not match the machine. */
  start(state: CPUState): void {
    const { strictCPUReservation: strict } = this.#options;
    validateCPUState(state, { all: this.#topology.details.cpus(), reserved: this.#reserved, strict });
  }

  /** The CPUs that can be assigned exclusively. */
  get allocatable(): CPUSet {
    return this.#topology.details.cpus().difference(this.#reserved);
  }

  /** Throws AdmissionError SMTAlignmentError, or Error if there are too few CPUs. */
  allocate(state: CPUState, pod: Pod, container: Container): void {
    const uid = pod.metadata.uid ?? '';
    const numCPUs = guaranteedCPUs(pod, container);
    if (numCPUs === 0 || isPodLevel(pod)) return;
    this.#enforceSMTAlignment(state, numCPUs);
    const present = state.cpuSet(uid, container.name);
    if (present !== undefined) {
      this.#updateReusable(pod, container, present);
      return;
    }
    const { affinity } = this.#affinity.getAffinity(uid, container.name);
    const cpus = this.#take(state, { numCPUs, affinity, reusable: this.#reusableOf(uid) });
    state.setCPUSet(uid, container.name, cpus);
    this.#updateReusable(pod, container, cpus);
  }

  /** Releases the container's CPUs, except those that another container of the pod also has. */
  removeContainer(state: CPUState, podUID: string, containerName: string): void {
    const released = state.cpuSet(podUID, containerName);
    if (released === undefined) return;
    state.delete(podUID, containerName);
    const siblings = [...(state.assignments.get(podUID)?.values() ?? [])];
    const free = released.difference(new CPUSet().union(...siblings));
    state.setDefault(state.defaultSet.union(free));
  }

  topologyHints(state: CPUState, pod: Pod, container: Container): TopologyHints {
    const uid = pod.metadata.uid ?? '';
    const requested = guaranteedCPUs(pod, container);
    if (requested === 0 || isPodLevel(pod)) return new Map();
    const allocated = state.cpuSet(uid, container.name);
    if (allocated === undefined) return this.#hintsOf(this.#available(state), this.#reusableOf(uid), requested);
    if (allocated.size !== requested) return new Map([['cpu', []]]);
    return this.#hintsOf(allocated, new CPUSet(), requested);
  }

  podTopologyHints(state: CPUState, pod: Pod): TopologyHints {
    const uid = pod.metadata.uid ?? '';
    const requested = podGuaranteedCPUs(pod);
    if (requested === 0 || isPodLevel(pod)) return new Map();
    let assigned = new CPUSet();
    for (const container of containersOf(pod)) {
      const allocated = state.cpuSet(uid, container.name);
      if (allocated === undefined) continue;
      if (allocated.size !== guaranteedCPUs(pod, container)) return new Map([['cpu', []]]);
      assigned = assigned.union(allocated);
    }
    if (assigned.size === requested) return this.#hintsOf(assigned, new CPUSet(), requested);
    return this.#hintsOf(this.#available(state), this.#reusableOf(uid).union(assigned), requested);
  }

  #lowest(numCPUs: number): CPUSet {
    const available = this.#topology.details.cpus();
    return numCPUs > available.size ? new CPUSet() : this.#takeByTopology(available, numCPUs);
  }

  #coresOf(cpus: CPUSet): number[] {
    return cpus.list().map((cpu) => {
      const info = this.#topology.details.info(cpu);
      const failed = '[cpumanager] unable to build the reserved physical CPUs from the reserved set';
      if (info === undefined) throw new Error(`${failed}: unknown CPU ID: ${cpu}`);
      return info.coreID;
    });
  }

  #available(state: CPUState): CPUSet {
    return state.defaultSet.difference(this.#reserved);
  }

  #reusableOf(podUID: string): CPUSet {
    return this.#reusable.podUID === podUID ? this.#reusable.cpus : new CPUSet();
  }

  #updateReusable(pod: Pod, container: Container, cpus: CPUSet): void {
    const podUID = pod.metadata.uid ?? '';
    const before = this.#reusableOf(podUID);
    const init = pod.spec.initContainers?.find(({ name }) => name === container.name);
    const ends = init !== undefined && !isSidecar(init);
    this.#reusable = { podUID, cpus: ends ? before.union(cpus) : before.difference(cpus) };
  }

  #enforceSMTAlignment(state: CPUState, numCPUs: number): void {
    if (!this.#options.fullPhysicalCPUsOnly) return;
    const perCore = this.#cpusPerCore;
    if (numCPUs % perCore !== 0)
      throw smtAlignmentError(`requested ${numCPUs} cpus not multiple cpus per core = ${perCore}`);
    const available = state.defaultSet.difference(this.#reservedPhysical).size;
    if (numCPUs <= available) return;
    const counts = `available physical CPUs = ${available}, requested CPUs = ${numCPUs}, CPUs per core = ${perCore}`;
    throw smtAlignmentError(`not enough free physical CPUs: ${counts}`);
  }

  /** Takes CPUs from the shared set, first those of the affinity's nodes. */
  #take(
    state: CPUState,
    { numCPUs, affinity, reusable }: { numCPUs: number; affinity: BitMask | undefined; reusable: CPUSet },
  ): CPUSet {
    const allocatable = this.#available(state).union(reusable);
    const aligned = affinity === undefined ? new CPUSet() : this.#alignedTo(affinity, allocatable);
    const first = this.#takeByTopology(aligned, Math.min(numCPUs, aligned.size));
    const rest = this.#takeByTopology(allocatable.difference(first), numCPUs - first.size);
    const cpus = first.union(rest);
    state.setDefault(state.defaultSet.difference(cpus));
    return cpus;
  }

  #alignedTo(affinity: BitMask, cpus: CPUSet): CPUSet {
    const { details } = this.#topology;
    const ids = bitsOf(affinity);
    if (!this.#options.alignBySocket) return cpus.intersection(details.cpusIn('numaNodeID', ids));
    return cpus.intersection(details.cpusIn('socketID', details.ids('socketID', { level: 'numaNodeID', ids })));
  }

  #takeByTopology(available: CPUSet, numCPUs: number): CPUSet {
    const { distributeCPUsAcrossCores, distributeCPUsAcrossNUMA, fullPhysicalCPUsOnly } = this.#options;
    const strategy = distributeCPUsAcrossCores ? 'spread' : 'packed';
    const request = { topology: this.#topology, available, numCPUs, strategy } as const;
    if (distributeCPUsAcrossNUMA) return takeDistributed(request, fullPhysicalCPUsOnly ? this.#cpusPerCore : 1);
    return takePacked(request, this.#options.preferAlignByUncoreCache);
  }

  /** A hint for each set of nodes that has enough CPUs and includes all reused ones. Hints with the fewest nodes are preferred. */
  #hintsOf(available: CPUSet, reusable: CPUSet, request: number): TopologyHints {
    const { details } = this.#topology;
    const nodes = details.ids('numaNodeID');
    const nodeOf = (cpu: number): number => details.info(cpu)?.numaNodeID ?? 0;
    const reused = reusable.list().map(nodeOf);
    const free = available.list().map(nodeOf);
    let least = nodes.length;
    const masks: BitMask[] = [];
    for (const mask of bitMasksOf(nodes)) {
      if (details.cpusIn('numaNodeID', bitsOf(mask)).size >= request) least = Math.min(least, countOf(mask));
      if (reused.some((node) => !isSet(mask, node))) continue;
      const matching = reused.length + free.filter((node) => isSet(mask, node)).length;
      if (matching >= request) masks.push(mask);
    }
    const hints = masks.map(
      (affinity): TopologyHint => ({
        affinity,
        preferred: countOf(affinity) === least || this.#isSocketAligned(affinity, least),
      }),
    );
    return new Map([['cpu', hints]]);
  }

  /** Whether the nodes span no more sockets than the request needs. */
  #isSocketAligned(affinity: BitMask, least: number): boolean {
    if (!this.#options.alignBySocket) return false;
    const perSocket = Math.floor(this.#topology.numNUMANodes / this.#topology.numSockets);
    if (perSocket === 0) return false;
    const sockets = this.#topology.details.ids('socketID', { level: 'numaNodeID', ids: bitsOf(affinity) });
    return sockets.length === Math.ceil(least / perSocket);
  }
}

const smtAlignmentError = (message: string): AdmissionError =>
  new AdmissionError('SMTAlignmentError', `SMT Alignment Error: ${message}`);
