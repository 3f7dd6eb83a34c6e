import type { Node, NodeStatus } from '#lib/api/types/core.v1.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { VersionInfo } from '../cadvisor.ts';
import type { Pressures } from '../eviction/thresholds.ts';
import { type NetworkState, setNetworkCondition, setPressureConditions, setReadyCondition } from './conditions.ts';
import { type MachineFacts, setMachineInfo } from './machine-info.ts';
import { type AddressFacts, nodeAddress } from './node-address.ts';
import { type RuntimeFacts, setRuntimeInfo } from './runtime-info.ts';

/** The inputs of a node's status. */
export interface NodeFacts {
  readonly address: AddressFacts;
  readonly machine: MachineFacts;
  readonly versions: VersionFacts;
  readonly pressures: Pressures;
  /** The port of the node's server. Absent if it does not listen. */
  readonly kubeletPort?: number;
  /** Absent until the container runtime has responded. The Node then keeps its values. */
  readonly runtime?: RuntimeFacts;
  /** Volumes that the node's pods use. Absent until they are known. The Node then keeps its values. */
  readonly volumesInUse?: readonly string[];
  /** Absent if the agent does not set up the network, and until its state is known. The Node then keeps its values. */
  readonly network?: NetworkState;
  /** Errors from container runtime, network, storage and a shutdown. Any of them makes the node NotReady. */
  readonly errors: readonly string[];
}

/** Sets a node's whole status, in the order of upstream's setters. Throws if the node has no address. */
export function setNodeStatus(node: Node, facts: NodeFacts, now: Date): void {
  const { status } = node;
  const time = timeOf(now);
  status.addresses = nodeAddress(facts.address);
  setMachineInfo(status, facts.machine);
  setVersionInfo(status, facts.versions);
  status.daemonEndpoints = { kubeletEndpoint: { Port: facts.kubeletPort ?? 0 } };
  if (facts.runtime !== undefined) setRuntimeInfo(status, facts.runtime);
  if (facts.network !== undefined) setNetworkCondition(status, facts.network, time);
  setPressureConditions(status, facts.pressures, time);
  setReadyCondition(status, facts.errors, time);
  if (facts.volumesInUse !== undefined) setVolumesInUse(status, facts.volumesInUse);
}

function setVolumesInUse(status: NodeStatus, volumes: readonly string[]): void {
  if (volumes.length === 0) delete status.volumesInUse;
  else status.volumesInUse = [...volumes];
}

/** The versions of a node, and its platform with Go's names. */
interface VersionFacts extends VersionInfo {
  /** Such as `containerd://1.6.20`, or '' without a container runtime. */
  readonly containerRuntimeVersion: string;
  readonly kubeletVersion: string;
  /** Such as `linux`. */
  readonly operatingSystem: string;
  /** Such as `amd64` or `arm64`. */
  readonly architecture: string;
}

/** Sets versions and platform in a status (upstream: the setters VersionInfo and GoRuntime). */
function setVersionInfo(status: NodeStatus, { containerOsVersion, ...versions }: VersionFacts): void {
  Object.assign(status.nodeInfo, { ...versions, osImage: containerOsVersion, kubeProxyVersion: '' });
}
