import { CPUSet } from '../cpuset.ts';

/** CPU sets by pod uid and container name. */
export type CPUAssignments = ReadonlyMap<string, ReadonlyMap<string, CPUSet>>;

/** The exclusive CPUs of containers, and the CPUs that all others share (upstream: state.State). */
export class CPUState {
  readonly #assignments = new Map<string, Map<string, CPUSet>>();
  #default: CPUSet;

  constructor(defaultSet: CPUSet = new CPUSet(), assignments: CPUAssignments = new Map()) {
    this.#default = defaultSet;
    for (const [uid, sets] of assignments) this.#assignments.set(uid, new Map(sets));
  }

  /** The shared CPUs. */
  get defaultSet(): CPUSet {
    return this.#default;
  }

  get assignments(): CPUAssignments {
    return this.#assignments;
  }

  setDefault(set: CPUSet): void {
    this.#default = set;
  }

  /** The container's exclusive CPUs, or undefined if it has none. */
  cpuSet(podUID: string, containerName: string): CPUSet | undefined {
    return this.#assignments.get(podUID)?.get(containerName);
  }

  /** The CPUs that the container may run on. */
  cpuSetOrDefault(podUID: string, containerName: string): CPUSet {
    return this.cpuSet(podUID, containerName) ?? this.#default;
  }

  setCPUSet(podUID: string, containerName: string, set: CPUSet): void {
    const sets = this.#assignments.get(podUID) ?? new Map<string, CPUSet>();
    this.#assignments.set(podUID, sets.set(containerName, set));
  }

  delete(podUID: string, containerName: string): void {
    const sets = this.#assignments.get(podUID);
    sets?.delete(containerName);
    if (sets?.size === 0) this.#assignments.delete(podUID);
  }
}
