import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { BitMask } from './bitmask.ts';

/** The NUMA nodes that an allocation may come from (upstream: topologymanager.TopologyHint). */
export interface TopologyHint {
  /** Undefined where any node will do. */
  readonly affinity: BitMask | undefined;
  /** Whether the allocation comes from as few nodes as it can. */
  readonly preferred: boolean;
}

/**
 * Hints by resource. Undefined for a resource without preference; an empty list for a resource that cannot be allocated. A
 * provider without preference for anything gives an empty map.
 */
export type TopologyHints = ReadonlyMap<string, readonly TopologyHint[] | undefined>;

/** A holder of resources that belong to NUMA nodes (upstream: topologymanager.HintProvider). */
export interface HintProvider {
  /** The choices for one container. What the container has already is the only hint. */
  getTopologyHints(pod: Pod, container: Container): TopologyHints;
  /** The choices for all containers of a pod together. */
  getPodTopologyHints(pod: Pod): TopologyHints;
  /** Allocates by the affinity that the store then has. Throws AdmissionError, or another Error, which refuses the pod as UnexpectedAdmissionError. */
  allocate(pod: Pod, container: Container): Promise<void>;
}

/** The merged hints of containers that are admitted (upstream: topologymanager.Store). */
export interface AffinityStore {
  /** Without affinity and not preferred where the container has none yet. */
  getAffinity(podUID: string, containerName: string): TopologyHint;
}

/** The hint of a container that no policy looked at. */
export const NO_AFFINITY: TopologyHint = { affinity: undefined, preferred: false };
