import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { quote } from '#lib/machinery/go.ts';
import { milliValue, signOf } from '#lib/machinery/resource/quantities.ts';
import type { CPUPolicy } from './cpumanager/policy.ts';
import { noneCPUPolicy } from './cpumanager/policy-none.ts';
import { DEFAULT_OPTION_GATES, type PolicyOptionGates, staticPolicyOptions } from './cpumanager/policy-options.ts';
import { StaticCPUPolicy } from './cpumanager/policy-static.ts';
import { discoverTopology } from './cpumanager/topology.ts';
import { parseCPUSet } from './cpuset.ts';
import type { MachineTopology } from './machine-topology.ts';
import { type MemoryPolicy, noneMemoryPolicy } from './memorymanager/policy.ts';
import { StaticMemoryPolicy } from './memorymanager/policy-static.ts';
import { type MemoryReservation, systemReservedMemory } from './memorymanager/reserved-memory.ts';
import type { TopologyManager } from './topologymanager/topology-manager.ts';

/** The settings of the resource managers, named as in the configuration. */
export interface ResourcePolicySettings {
  readonly cpuManagerPolicy: string;
  readonly cpuManagerPolicyOptions: Record<string, string>;
  /** A list of CPUs, or '' to let the policy choose. */
  readonly reservedSystemCPUs: string;
  readonly memoryManagerPolicy: string;
  readonly reservedMemory: readonly MemoryReservation[];
  /** Defaults to upstream's. */
  readonly optionGates?: PolicyOptionGates;
}

/** The machine whose resources the policies assign. */
export interface DividedMachine {
  readonly machine: MachineTopology;
  /** The resources of the whole node that are reserved for the system and evictions. */
  readonly reservation: Usage;
  readonly topologyManager: TopologyManager;
}

/** The CPU policy with this name. Throws Error with upstream's text if it cannot work. */
export function newCPUPolicy(settings: ResourcePolicySettings, divided: DividedMachine): CPUPolicy {
  const { cpuManagerPolicy: name, cpuManagerPolicyOptions: given } = settings;
  if (name === 'none') return noneCPUPolicy(given);
  if (name !== 'static') throw new Error(`unknown policy: ${quote(name)}`);
  const { machine, reservation, topologyManager } = divided;
  const topology = discoverTopology(machine);
  const cpus = reservation.get('cpu');
  const unknown = '[cpumanager] unable to determine reserved CPU resources for static policy';
  if (cpus === undefined) throw new Error(unknown);
  const zero = '[cpumanager] the static policy requires systemreserved.cpu + kubereserved.cpu to be greater than zero';
  if (signOf(cpus) === 0) throw new Error(zero);
  const options = staticPolicyOptions(given, settings.optionGates ?? DEFAULT_OPTION_GATES);
  if (options.alignBySocket) checkAlignBySocket(topologyManager, topology);
  return new StaticCPUPolicy({
    topology,
    numReservedCPUs: Math.ceil(Number(milliValue(cpus)) / 1000),
    reservedCPUs: parseCPUSet(settings.reservedSystemCPUs),
    affinity: topologyManager,
    options,
  });
}

function checkAlignBySocket(
  { policyName }: TopologyManager,
  { numSockets, numNUMANodes }: { readonly numSockets: number; readonly numNUMANodes: number },
): void {
  if (policyName === 'single-numa-node') {
    const both = `${policyName} policy is incompatible with CPUManager align-by-socket policy option`;
    throw new Error(`Topolgy manager ${both}`);
  }
  if (numSockets > numNUMANodes) {
    const hardware = 'hardware where number of sockets are more than number of NUMA';
    throw new Error(`Align by socket is not compatible with ${hardware}`);
  }
}

/** The memory policy with this name. Throws Error with upstream's text if it cannot work. */
export function newMemoryPolicy(settings: ResourcePolicySettings, divided: DividedMachine): MemoryPolicy {
  const { memoryManagerPolicy: name, reservedMemory } = settings;
  if (name === 'None') return noneMemoryPolicy;
  if (name === 'BestEffort') throw new Error(`policy ${quote(name)} is not available for platform "linux"`);
  if (name !== 'Static') throw new Error(`unknown policy: ${quote(name)}`);
  const { machine, reservation, topologyManager } = divided;
  const reserved = systemReservedMemory(machine.nodes, reservation, reservedMemory);
  return new StaticMemoryPolicy({ nodes: machine.nodes, reserved, affinity: topologyManager });
}
