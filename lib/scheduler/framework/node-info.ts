import type { Node } from '#lib/api/types/core.v1.ts';
import type { PodInfo } from './pod-info.ts';
import type { Resource } from './resource.ts';

/** An image on a node. */
export interface ImageState {
  /** The size in bytes. */
  readonly size: number;
  /** The number of nodes that have the image. */
  readonly numNodes: number;
}

/** A node and its pods: upstream's NodeInfo. Includes pods that are assumed but not yet bound. */
export interface NodeInfo {
  readonly name: string;
  readonly node: Node;
  readonly labels: Readonly<Record<string, string>>;
  /** The pods by uid. */
  readonly pods: ReadonlyMap<string, PodInfo>;
  readonly podsWithAffinity: ReadonlySet<PodInfo>;
  readonly podsWithRequiredAntiAffinity: ReadonlySet<PodInfo>;
  /** The sum of the pods' requests. */
  readonly requested: Resource;
  readonly nonZeroRequested: { readonly milliCpu: number; readonly memory: number };
  readonly allocatable: Resource;
  /** The image states by normalized name. */
  readonly imageStates: ReadonlyMap<string, ImageState>;
  /** The number of pods that use each claim, by `namespace/name`. */
  readonly claimUsers: ReadonlyMap<string, number>;
  /** Changes with every update and is unique among all node states of the process. Caches use it as a key. */
  readonly generation: number;
  addPod(pod: PodInfo): void;
  /** Returns whether the pod was on the node. */
  removePod(pod: PodInfo): boolean;
  /** A copy that changes independently. */
  clone(): NodeInfo;
}
