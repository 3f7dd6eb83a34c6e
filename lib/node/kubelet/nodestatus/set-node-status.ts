import type { Node, NodeStatus } from '#lib/api/types/core.v1.ts';
import { timeText } from '#lib/server/registry/rest/meta.ts';
import type { Pressures } from '../eviction/thresholds.ts';
import { type NetworkState, setNetworkCondition, setPressureConditions, setReadyCondition } from './conditions.ts';
import { type MachineFacts, setMachineInfo } from './machine-info.ts';
import { type AddressFacts, nodeAddress } from './node-address.ts';
import { type RuntimeFacts, setRuntimeInfo } from './runtime-info.ts';
import { setVersionInfo, type VersionFacts } from './version-info.ts';

/** Everything that a node's status follows from. */
export interface NodeFacts {
  readonly address: AddressFacts;
  readonly machine: MachineFacts;
  readonly versions: VersionFacts;
  readonly pressures: Pressures;
  /** The port of the node's server; absent: it listens on none. */
  readonly kubeletPort?: number;
  /** Absent before the container runtime has answered: the Node keeps what it shows. */
  readonly runtime?: RuntimeFacts;
  /** Volumes that pods of the node use; absent before they are known: the Node keeps what it shows. */
  readonly volumesInUse?: readonly string[];
  /** Absent where the agent makes no network, and before it is known: the Node keeps what it shows. */
  readonly network?: NetworkState;
  /** Errors of container runtime, network and storage, and a shutdown: any makes the node NotReady. */
  readonly errors: readonly string[];
}

/** Writes a node's whole status, in the order of upstream's setters. Throws where the node has no address. */
export function setNodeStatus(node: Node, facts: NodeFacts, now: Date): void {
  const { status } = node;
  const time = timeText(now);
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
