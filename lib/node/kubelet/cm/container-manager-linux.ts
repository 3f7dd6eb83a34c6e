import type { Container, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type ContainerConfig, ContainerState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import type { RunContainerOptions } from '../container/runtime.ts';
import type { PodAdmitHandler } from '../lifecycle/pod-admit.ts';
import type { ContainerManager, ResourceCounts } from './container-manager.ts';
import { ContainerMap, type ContainerRef } from './containermap.ts';
import type { CPUManager } from './cpumanager/cpu-manager.ts';
import type { DeviceManager } from './devicemanager/manager.ts';
import { withClaimHealth } from './dra/allocated-resources-status.ts';
import type { DeviceHealths } from './dra/health.ts';
import type { DRAManager } from './dra/manager.ts';
import type { MemoryManager } from './memorymanager/memory-manager.ts';
import type { TopologyManager } from './topologymanager/topology-manager.ts';

/** Interval in ms between checks for the claims of deleted pods. */
const DRA_PERIOD = 60_000;

/** The part of the device manager that the container manager uses. */
export type Devices = Pick<
  DeviceManager,
  | 'start'
  | 'allocate'
  | 'getTopologyHints'
  | 'getPodTopologyHints'
  | 'getCapacity'
  | 'getDeviceRunContainerOptions'
  | 'updateAllocatedResourcesStatus'
>;

/** The managers that the container manager is composed of. The CPU and memory managers use `topology` as their affinity store. */
export interface ContainerManagerParts {
  readonly topology: TopologyManager;
  readonly devices: Devices;
  readonly cpus: CPUManager;
  readonly memory: MemoryManager;
  readonly dra: DRAManager;
  readonly healths: Pick<DeviceHealths, 'get'>;
  readonly clock: Clock;
  /** Applies the CDI devices of a configuration if the runtime does not. Rejects with the reason for an event. */
  applyCDI(config: ContainerConfig): Promise<void>;
  /** The reconcile period in milliseconds (`cpuManagerReconcilePeriod`). Undefined with CPU policy none, which does not reconcile. */
  readonly cpuReconcilePeriod: number | undefined;
  /** Called when a periodic check fails. The next check retries. */
  onFault(error: unknown): void;
}

/** Delegates each of the machine's resources to its manager (upstream: containerManagerImpl on Linux). */
export class ContainerManagerLinux implements ContainerManager {
  readonly #parts: ContainerManagerParts;

  constructor(parts: ContainerManagerParts) {
    this.#parts = parts;
    for (const provider of [parts.devices, parts.cpus, parts.memory]) parts.topology.addHintProvider(provider);
  }

  get admitHandler(): PodAdmitHandler {
    return this.#parts.topology;
  }

  /** Restores the allocations. `containers` are those of the runtime. Rejects if a state is unusable: the agent must not continue. */
  async start(containers: ContainerMap): Promise<void> {
    const { dra, cpus, memory, devices } = this.#parts;
    await named('start dra manager error', dra.start());
    await named('start cpu manager error', cpus.start(containers.clone()));
    await named('start memory manager error', memory.start(containers.clone()));
    await devices.start();
  }

  /** Reconciles the CPUs of containers and releases claims until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { cpus, dra, cpuReconcilePeriod } = this.#parts;
    const loops = [this.#every(DRA_PERIOD, () => dra.reconcile(), signal)];
    if (cpuReconcilePeriod !== undefined) loops.push(this.#every(cpuReconcilePeriod, () => cpus.reconcile(), signal));
    await Promise.all(loops);
  }

  async resources(pod: Pod, container: Container): Promise<RunContainerOptions> {
    const { dra, devices } = this.#parts;
    const claimed = dra.cdiDevices(pod, container);
    const own = await devices.getDeviceRunContainerOptions(pod, container);
    return {
      envs: own?.envs ?? [],
      mounts: own?.mounts ?? [],
      devices: own?.devices ?? [],
      annotations: own?.annotations ?? {},
      cdiDevices: [...claimed, ...(own?.cdiDevices ?? [])],
      podContainerDir: '',
      hostname: '',
    };
  }

  async preCreateContainer(pod: Pod, container: Container, config: ContainerConfig): Promise<void> {
    await this.#parts.applyCDI(config);
    const resources = config.linux?.resources;
    if (resources === undefined) return;
    const { uid = '' } = pod.metadata;
    const cpus = this.#parts.cpus.cpuAffinity(uid, container.name);
    if (!cpus.isEmpty) resources.cpusetCpus = String(cpus);
    const nodes = this.#parts.memory.memoryNUMANodes(uid, container.name);
    if (nodes.length > 0) resources.cpusetMems = nodes.join(',');
  }

  preStartContainer(pod: Pod, container: Container, containerID: string): void {
    const { cpus, memory, topology } = this.#parts;
    for (const manager of [cpus, memory, topology]) manager.addContainer(pod, container, containerID);
  }

  postStopContainer(containerID: string): void {
    this.#parts.topology.removeContainer(containerID);
  }

  devicePluginResources(): { capacity: ResourceCounts; allocatable: ResourceCounts; removed: readonly string[] } {
    return this.#parts.devices.getCapacity();
  }

  prepareDynamicResources(pod: Pod): Promise<void> {
    return this.#parts.dra.prepareResources(pod);
  }

  unprepareDynamicResources(pod: Pod): Promise<void> {
    return this.#parts.dra.unprepareResources(pod);
  }

  updateAllocatedResourcesStatus(pod: Pod, status: PodStatus): void {
    const { devices, dra, healths } = this.#parts;
    const claimInfo = (namespace: string, name: string) => dra.claimInfo(namespace, name);
    const told = withClaimHealth(pod, devices.updateAllocatedResourcesStatus(pod, status), { claimInfo, healths });
    if (told.containerStatuses !== undefined) status.containerStatuses = told.containerStatuses;
  }

  /** Whether a container has exclusive CPUs. A quota would throttle it. */
  containerHasExclusiveCPUs(pod: Pod, container: Container): boolean {
    return !this.#parts.cpus.exclusiveCPUs(pod.metadata.uid ?? '', container.name).isEmpty;
  }

  async #every(period: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => this.#parts.onFault(error));
      await this.#parts.clock.sleep(period, signal);
    }
  }
}

async function named(what: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw new Error(`${what}: ${messageOfError(error)}`, { cause: error });
  }
}

/** Containers that exist in the runtime. */
export interface FoundContainers {
  readonly containers: ContainerMap;
  /** Ids of the running containers. */
  readonly running: ReadonlySet<string>;
}

/** Whether any attempt of the container runs. The runtime keeps earlier attempts. */
export const isRunningIn = (
  { containers, running }: FoundContainers,
  { podUID, containerName }: ContainerRef,
): boolean =>
  [...running].some((id) => {
    const ref = containers.containerRef(id);
    return ref?.podUID === podUID && ref.containerName === containerName;
  });

/** The containers in the runtime, and the ids of the running ones. Skips containers without a sandbox. */
export async function containersOfRuntime(
  runtime: Pick<RuntimeService, 'listPodSandbox' | 'listContainers'>,
): Promise<FoundContainers> {
  const { items } = await runtime.listPodSandbox({});
  const uids = new Map(items.map(({ id, metadata }) => [id, metadata?.uid ?? '']));
  const containers = new ContainerMap();
  const running = new Set<string>();
  for (const { id, podSandboxId, metadata, state } of (await runtime.listContainers({})).containers) {
    const uid = uids.get(podSandboxId);
    if (uid === undefined) continue;
    containers.add(uid, metadata?.name ?? '', id);
    if (state === ContainerState.CONTAINER_RUNNING) running.add(id);
  }
  return { containers, running };
}
