import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { CPUSet } from '../cpuset.ts';
import type { TopologyHints } from '../topologymanager/hint-provider.ts';
import type { CPUState } from './state.ts';

/** Decides which CPUs containers have (upstream: cpumanager.Policy). The caller owns the state. */
export interface CPUPolicy {
  readonly name: string;
  /** The CPUs that can be assigned exclusively. */
  readonly allocatable: CPUSet;
  /** Throws Error if the state does not match the machine. */
  start(state: CPUState): void;
  /** Throws AdmissionError, or Error if there are too few CPUs. */
  allocate(state: CPUState, pod: Pod, container: Container): void;
  removeContainer(state: CPUState, podUID: string, containerName: string): void;
  topologyHints(state: CPUState, pod: Pod, container: Container): TopologyHints;
  podTopologyHints(state: CPUState, pod: Pod): TopologyHints;
}
