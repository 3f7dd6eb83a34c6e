import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import type { BitMask } from './bitmask.ts';

/** The NUMA nodes that an allocation may come from (upstream: topologymanager.TopologyHint). */
export interface TopologyHint {
  /** Undefined if any node is suitable. */
  readonly affinity: BitMask | undefined;
  /** Whether the allocation uses the fewest possible nodes. */
  readonly preferred: boolean;
}

/**
 * Hints by resource. Undefined means no preference, and an empty list means that the resource cannot be allocated. A provider without any
 * preference returns an empty map.
 */
export type TopologyHints = ReadonlyMap<string, readonly TopologyHint[] | undefined>;

/** A manager of resources that belong to NUMA nodes (upstream: topologymanager.HintProvider). */
export interface HintProvider {
  /** The options for one container. If the container already has an allocation, that is the only hint. */
  getTopologyHints(pod: Pod, container: Container): TopologyHints;
  /** The options for all containers of a pod together. */
  getPodTopologyHints(pod: Pod): TopologyHints;
  /**
   * Allocates according to the affinity in the store. Throws AdmissionError, or another Error, which rejects the pod with
   * UnexpectedAdmissionError.
   */
  allocate(pod: Pod, container: Container): Promise<void>;
}

/** The merged hints of admitted containers (upstream: topologymanager.Store). */
export interface AffinityStore {
  /** Returns NO_AFFINITY if the container has no hint yet. */
  getAffinity(podUID: string, containerName: string): TopologyHint;
}

/** The hint of a container for which no policy decided. */
export const NO_AFFINITY: TopologyHint = { affinity: undefined, preferred: false };
