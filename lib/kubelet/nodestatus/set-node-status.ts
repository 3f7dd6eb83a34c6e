import type { Node } from '#lib/api/types/core.v1.ts';
import { timeText } from '#lib/registry/rest/meta.ts';
import type { Pressures } from '../eviction/thresholds.ts';
import { setPressureConditions, setReadyCondition } from './conditions.ts';
import { setMachineInfo, type MachineFacts } from './machine-info.ts';
import { nodeAddress, type AddressFacts } from './node-address.ts';
import { setVersionInfo, type VersionFacts } from './version-info.ts';

/** Everything that a node's status follows from. */
export interface NodeFacts {
  readonly address: AddressFacts;
  readonly machine: MachineFacts;
  readonly versions: VersionFacts;
  readonly pressures: Pressures;
  /** Errors of container runtime, network and storage: any makes the node NotReady. */
  readonly errors: readonly string[];
}

/** Writes a node's whole status, in the order of upstream's setters. Throws where the node has no address. */
export function setNodeStatus(node: Node, facts: NodeFacts, now: Date): void {
  const { status } = node;
  const time = timeText(now);
  status.addresses = nodeAddress(facts.address);
  setMachineInfo(status, facts.machine);
  setVersionInfo(status, facts.versions);
  setPressureConditions(status, facts.pressures, time);
  setReadyCondition(status, facts.errors, time);
}
