import { systemClock as clock } from '#adapters/clock.ts';
import { FileCheckpoints } from '#adapters/node/host/records/checkpoint-store.ts';
import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import type { ContainerConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import type { KubeletConfiguration } from '#lib/node/kubelet/apis/config/types.ts';
import type { PodView } from '#lib/node/kubelet/cm/active-containers.ts';
import { applyCDIDevices } from '#lib/node/kubelet/cm/cdi/apply.ts';
import type { CDISpecSource } from '#lib/node/kubelet/cm/cdi/registry.ts';
import { runtimeAppliesCDI } from '#lib/node/kubelet/cm/cdi/runtime-support.ts';
import {
  ContainerManagerLinux,
  containersOfRuntime,
  type FoundContainers,
  isRunningIn,
} from '#lib/node/kubelet/cm/container-manager-linux.ts';
import { ContainerMap } from '#lib/node/kubelet/cm/containermap.ts';
import { CPUManager } from '#lib/node/kubelet/cm/cpumanager/cpu-manager.ts';
import type { TopologySource } from '#lib/node/kubelet/cm/machine-topology.ts';
import { MemoryManager } from '#lib/node/kubelet/cm/memorymanager/memory-manager.ts';
import { newCPUPolicy, newMemoryPolicy, type ResourcePolicySettings } from '#lib/node/kubelet/cm/resource-policies.ts';
import { TopologyManager } from '#lib/node/kubelet/cm/topologymanager/topology-manager.ts';
import type { PodContext } from './context.ts';
import { type NodeDevices, nodeDevices } from './device-plugins.ts';
import { NodeDRA } from './dra.ts';

/** The part of the pod context that resource managers need. */
export type ResourceContext = Pick<PodContext, 'configuration' | 'rootDir' | 'client' | 'log'> & {
  readonly options: Pick<PodContext['options'], 'node'>;
  readonly services: Pick<PodContext['services'], 'runtime'>;
};

/** The files of the machine that resource managers need, other than --root-dir. */
export interface ResourceHost {
  /** The folder of device plugins. */
  readonly devicePlugins: string;
  readonly topology: TopologySource;
  readonly cdiSpecs: CDISpecSource;
}

/** The dependencies of the managers. */
export interface ResourceSurroundings {
  readonly host: ResourceHost;
  readonly pods: PodView;
  podsChanged(uids: readonly string[]): void;
  capacityChanged(): void;
}

/** The resource managers and their connections. */
export interface ResourceParts {
  readonly manager: ContainerManagerLinux;
  readonly devices: NodeDevices;
  readonly cpus: CPUManager;
  readonly memory: MemoryManager;
  readonly dra: NodeDRA;
  /** Restores the assignments. Rejects if a stored state is invalid. */
  restore(): Promise<void>;
}

/** Creates the managers. Rejects if the machine does not report its CPUs, and for invalid settings. */
export async function resourceParts(
  { configuration, rootDir, services: { runtime }, client, options, log }: ResourceContext,
  reservation: Usage,
  { host, pods, podsChanged, capacityChanged }: ResourceSurroundings,
): Promise<ResourceParts> {
  const machine = await host.topology.machineTopology();
  const topology = new TopologyManager({
    policy: configuration.topologyManagerPolicy,
    scope: configuration.topologyManagerScope,
    policyOptions: configuration.topologyManagerPolicyOptions,
    nodes: machine.nodes,
  });
  const [settings, divided] = [policySettings(configuration), { machine, reservation, topologyManager: topology }];
  const checkpoints = new FileCheckpoints(rootDir);
  const common = { checkpoints, directory: rootDir, pods, onFault: log.fault('CPUs and memory of containers') };
  const cpus = new CPUManager({ ...common, policy: newCPUPolicy(settings, divided), runtime });
  const memory = new MemoryManager({ ...common, policy: newMemoryPolicy(settings, divided) });
  const dra = new NodeDRA({ client, node: options.node, checkpoints, pods, log, podsChanged });
  let found: FoundContainers = { containers: new ContainerMap(), running: new Set() };
  const devices = nodeDevices({
    directory: host.devicePlugins,
    numaNodes: machine.nodes.map(({ id }) => id),
    affinity: topology,
    pods,
    log,
    wasRunning: (key) => isRunningIn(found, key),
    capacityChanged,
    podsChanged,
  });
  const manager = new ContainerManagerLinux({
    topology,
    devices: devices.manager,
    cpus,
    memory,
    dra: dra.manager,
    healths: dra.healths,
    clock,
    applyCDI: (config) => applyCDI(config, runtime, host.cdiSpecs),
    cpuReconcilePeriod: configuration.cpuManagerPolicy === 'none' ? undefined : configuration.cpuManagerReconcilePeriod,
    onFault: log.fault('cannot keep containers in step'),
  });
  const restore = async (): Promise<void> => {
    found = await containersOfRuntime(runtime);
    await manager.start(found.containers);
  };
  return { manager, devices, cpus, memory, dra, restore };
}

const policySettings = (configuration: KubeletConfiguration): ResourcePolicySettings => ({
  cpuManagerPolicy: configuration.cpuManagerPolicy,
  cpuManagerPolicyOptions: configuration.cpuManagerPolicyOptions,
  reservedSystemCPUs: configuration.reservedSystemCPUs,
  memoryManagerPolicy: configuration.memoryManagerPolicy,
  reservedMemory: configuration.reservedMemory.map(({ numaNode, limits }) => ({
    numaNode,
    limits: new Map(Object.entries(limits).map(([name, quantity]) => [name, String(quantity)])),
  })),
});

/** Applies CDI. Queries the runtime's version each time, because the runtime may have been upgraded. */
async function applyCDI(config: ContainerConfig, runtime: RuntimeService, specs: CDISpecSource): Promise<void> {
  if (config.CDIDevices.length === 0 || (await runtimeAppliesCDI(runtime))) return;
  await applyCDIDevices(config, specs);
}
