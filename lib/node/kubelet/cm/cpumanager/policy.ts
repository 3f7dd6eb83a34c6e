import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { CPUSet } from '../cpuset.ts';
import type { TopologyHints } from '../topologymanager/hint-provider.ts';
import type { CPUState } from './state.ts';

/** Decides which CPUs containers have (upstream: cpumanager.Policy). The state is the caller's. */
export interface CPUPolicy {
  readonly name: string;
  /** The CPUs that containers may have for themselves. */
  readonly allocatable: CPUSet;
  /** Throws Error where the state does not fit the machine. */
  start(state: CPUState): void;
  /** Throws AdmissionError, or Error where CPUs are missing. */
  allocate(state: CPUState, pod: Pod, container: Container): void;
  removeContainer(state: CPUState, podUID: string, containerName: string): void;
  topologyHints(state: CPUState, pod: Pod, container: Container): TopologyHints;
  podTopologyHints(state: CPUState, pod: Pod): TopologyHints;
}
