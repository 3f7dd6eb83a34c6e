import type { Container, ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import { CheckpointFile } from '../../checkpointmanager/checkpoint-file.ts';
import type { CheckpointStore } from '../../checkpointmanager/checkpoint-store.ts';
import { containersOf, type PodView, refsOf, staleContainers } from '../active-containers.ts';
import { ContainerMap, type ContainerRef } from '../containermap.ts';
import { CPUSet } from '../cpuset.ts';
import { restoredState } from '../restored-state.ts';
import type { HintProvider, TopologyHints } from '../topologymanager/hint-provider.ts';
import { CPU_MANAGER_STATE, decodeCPUState, encodeCPUState } from './checkpoint.ts';
import type { CPUPolicy } from './policy.ts';
import { CPUState } from './state.ts';

/** The settings and ports of the CPU manager. */
export interface CPUManagerConfig {
  readonly policy: CPUPolicy;
  readonly checkpoints: CheckpointStore;
  /** The checkpoint directory for error messages. */
  readonly directory: string;
  readonly pods: PodView;
  readonly runtime: Pick<RuntimeService, 'updateContainerResources'>;
  /** Called when an update of a container or a write of the state fails. Both are retried. */
  onFault(error: unknown): void;
}

/** Assigns CPUs to containers and keeps the runtime in sync (upstream: cpumanager.Manager). */
export class CPUManager implements HintProvider {
  readonly #config: CPUManagerConfig;
  readonly #file: CheckpointFile;
  /** The CPUs from the last update of each container. */
  readonly #lastUpdate = new CPUState();
  #state = new CPUState();
  #containers = new ContainerMap();

  constructor(config: CPUManagerConfig) {
    this.#config = config;
    this.#file = new CheckpointFile(config.checkpoints, CPU_MANAGER_STATE);
  }

  /** Restores the state. `containers` are those of the runtime. Rejects if the state is unusable, with a text that explains the fix. */
  async start(containers: ContainerMap): Promise<void> {
    const { policy, directory } = this.#config;
    this.#containers = containers;
    const names = { manager: 'CPU', path: `${directory}/${CPU_MANAGER_STATE}` } as const;
    const decode = (bytes: Uint8Array) => decodeCPUState(bytes, policy.name);
    this.#state = (await restoredState(this.#file, decode, names)) ?? this.#state;
    policy.start(this.#state);
    await this.#file.write(encodeCPUState(policy.name, this.#state));
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

  /** Records the id of a starting container. */
  addContainer(pod: Pod, container: Container, containerID: string): void {
    const uid = pod.metadata.uid ?? '';
    const own = this.#state.cpuSet(uid, container.name);
    if (own !== undefined) this.#lastUpdate.setCPUSet(uid, container.name, own);
    this.#containers.add(uid, container.name, containerID);
  }

  /** The exclusive CPUs of the container. */
  exclusiveCPUs(podUID: string, containerName: string): CPUSet {
    return this.#state.cpuSet(podUID, containerName) ?? new CPUSet();
  }

  /** The CPUs that the container may run on: its exclusive ones, else the shared ones. Empty with policy none. */
  cpuAffinity(podUID: string, containerName: string): CPUSet {
    return this.#state.cpuSetOrDefault(podUID, containerName);
  }

  /** The CPUs that can be assigned exclusively. */
  get allocatableCPUs(): CPUSet {
    return this.#config.policy.allocatable;
  }

  /** Updates the CPUs of every running container to match the state. Upstream does this every 10 s with every policy except none. */
  async reconcile(): Promise<void> {
    this.#removeStaleState();
    for (const pod of this.#config.pods.activePods()) {
      const status = this.#config.pods.podStatus(pod.metadata.uid ?? '');
      const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
      for (const { name } of containersOf(pod)) {
        const own = statuses.find((one) => one.name === name);
        if (own !== undefined) await this.#reconcileContainer(pod.metadata.uid ?? '', own);
      }
    }
  }

  async #reconcileContainer(uid: string, { name, containerID = '', state }: ContainerStatus): Promise<void> {
    const id = containerID.slice(containerID.indexOf('://') + 3);
    if (containerID === '' || state.running === undefined) return;
    this.#containers.add(uid, name, id);
    const cpus = this.#state.cpuSetOrDefault(uid, name);
    if (cpus.isEmpty || cpus.equals(this.#lastUpdate.cpuSetOrDefault(uid, name))) return;
    try {
      await this.#config.runtime.updateContainerResources({ containerId: id, linux: { cpusetCpus: String(cpus) } });
      this.#lastUpdate.setCPUSet(uid, name, cpus);
    } catch (error) {
      this.#config.onFault(error);
    }
  }

  #removeStaleState(): void {
    const stale = staleContainers(this.#config.pods, [...refsOf(this.#state.assignments), ...this.#containers.refs()]);
    if (stale.length === 0) return;
    for (const ref of stale) this.#remove(ref);
    void this.#save();
  }

  #remove({ podUID, containerName }: ContainerRef): void {
    this.#config.policy.removeContainer(this.#state, podUID, containerName);
    this.#lastUpdate.delete(podUID, containerName);
    this.#containers.removeByContainerRef(podUID, containerName);
  }

  #text(): string {
    return encodeCPUState(this.#config.policy.name, this.#state);
  }

  /** Reports a state that cannot be written. The next change writes it again. */
  #save(): Promise<void> {
    return this.#file.write(this.#text()).catch((error: unknown) => this.#config.onFault(error));
  }
}
