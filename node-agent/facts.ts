import { usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { NodeAllocatableConfig } from '#lib/node/kubelet/cm/node-allocatable.ts';
import { evictionHardOf, pressuresOf } from '#lib/node/kubelet/eviction/thresholds.ts';
import type { Host } from '#lib/node/kubelet/host.ts';
import type { DeviceResources } from '#lib/node/kubelet/nodestatus/machine-info.ts';
import type { NodeFacts } from '#lib/node/kubelet/nodestatus/set-node-status.ts';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';
import type { AgentOptions } from './options.ts';

/** The container runtime of a node, and the machine's resources that its pods use. */
export interface PodFacts extends Pick<NodeFacts, 'errors' | 'runtime' | 'volumesInUse'> {
  /** For example `containerd://1.6.20`. '' before the runtime responds. */
  readonly version: string;
  readonly devices?: DeviceResources;
  /** The pressure conditions from pod eviction. If absent, the current usage is compared with the hard thresholds. */
  readonly pressures?: NodeFacts['pressures'];
}

/** The kubelet's messages for a runtime that never responded. */
const NO_RUNTIME = ['container runtime is down', 'network state unknown'];
/** Maps node's names of processor architectures to Go's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' };

/** Reads everything that the node's status depends on. */
export async function factsOf(
  host: Host,
  { node, nodeIPs, configuration, kubeletPort }: AgentOptions,
  pods: PodFacts = { version: '', errors: NO_RUNTIME },
): Promise<NodeFacts> {
  const reserved = reservedOf(configuration);
  const [machine, versions, network] = await Promise.all([host.machineInfo(), host.versionInfo(), host.network()]);
  const [rootFs, memoryAvailable, lookedUp] = await Promise.all([
    host.rootFs(),
    host.memoryAvailable(),
    nodeIPs.length === 0 ? host.lookup(node) : [],
  ]);
  const observed = { memoryAvailable, memoryCapacity: machine.memoryCapacity, rootFs };
  return {
    address: { nodeName: node, hostname: node, nodeIPs, lookedUp, network },
    machine: {
      machine,
      storage: rootFs.capacity,
      maxPods: maxPodsOf(configuration, machine.numCores),
      reserved,
      ...defined({ devices: pods.devices }),
    },
    versions: {
      ...versions,
      containerRuntimeVersion: pods.version,
      kubeletVersion: GIT_VERSION,
      operatingSystem: process.platform,
      architecture: ARCHITECTURES[process.arch] ?? process.arch,
    },
    pressures: pods.pressures ?? pressuresOf(reserved.evictionHard, observed),
    errors: pods.errors,
    ...defined({ runtime: pods.runtime, volumesInUse: pods.volumesInUse, kubeletPort }),
  };
}

/** The resources that the configuration withholds from pods. */
export const reservedOf = (configuration: AgentOptions['configuration']): NodeAllocatableConfig => ({
  systemReserved: usageOf(configuration.systemReserved),
  kubeReserved: usageOf(configuration.kubeReserved),
  evictionHard: evictionHardOf(configuration.evictionHard, configuration.mergeDefaultEvictionSettings),
});

/** The maximum number of pods on the node: `maxPods`, or fewer if `podsPerCore` is the stricter limit. */
const maxPodsOf = ({ maxPods, podsPerCore }: AgentOptions['configuration'], cores: number): number =>
  podsPerCore > 0 ? Math.min(podsPerCore * cores, maxPods) : maxPods;
