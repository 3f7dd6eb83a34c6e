import { NOTHING } from '#lib/component-helpers/resource/resource-list.ts';
import { GIT_VERSION } from '#lib/endpoints/version.ts';
import { DEFAULT_EVICTION_HARD, pressuresOf } from '#lib/kubelet/eviction/thresholds.ts';
import type { Host } from '#lib/kubelet/host.ts';
import type { NodeFacts } from '#lib/kubelet/nodestatus/set-node-status.ts';
import type { AgentOptions } from './options.ts';

/** Pods that a node takes: the kubelet's default. */
const MAX_PODS = 110;
const RESERVED = { systemReserved: NOTHING, kubeReserved: NOTHING, evictionHard: DEFAULT_EVICTION_HARD };
/** No container runtime is served yet: the texts that the kubelet has for a runtime that never answered. */
const NO_RUNTIME = ['container runtime is down', 'network state unknown'];
/** Go's names of processors, by node's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' };

/** Reads everything that the node's status follows from. */
export async function factsOf(host: Host, { node, nodeIPs }: AgentOptions): Promise<NodeFacts> {
  const [machine, versions, network] = await Promise.all([host.machineInfo(), host.versionInfo(), host.network()]);
  const [rootFs, memoryAvailable, lookedUp] = await Promise.all([
    host.rootFs(),
    host.memoryAvailable(),
    nodeIPs.length === 0 ? host.lookup(node) : [],
  ]);
  const observed = { memoryAvailable, memoryCapacity: machine.memoryCapacity, rootFs };
  return {
    address: { nodeName: node, hostname: node, nodeIPs, lookedUp, network },
    machine: { machine, storage: rootFs.capacity, maxPods: MAX_PODS, reserved: RESERVED },
    versions: {
      ...versions,
      containerRuntimeVersion: '',
      kubeletVersion: GIT_VERSION,
      operatingSystem: process.platform,
      architecture: ARCHITECTURES[process.arch] ?? process.arch,
    },
    pressures: pressuresOf(DEFAULT_EVICTION_HARD, observed),
    errors: NO_RUNTIME,
  };
}
