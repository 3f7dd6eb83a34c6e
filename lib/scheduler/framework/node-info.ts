import type { Node } from '#lib/api/types/core.v1.ts';
import type { PodInfo } from './pod-info.ts';
import type { Resource } from './resource.ts';

/** An image on a node. */
export interface ImageState {
  /** Bytes. */
  readonly size: number;
  /** The number of nodes that have it. */
  readonly numNodes: number;
}

/** A node and its pods: upstream's NodeInfo. A pod is on it from the moment it is assumed there, before it is bound. */
export interface NodeInfo {
  readonly name: string;
  readonly node: Node;
  readonly labels: Readonly<Record<string, string>>;
  /** By uid. */
  readonly pods: ReadonlyMap<string, PodInfo>;
  readonly podsWithAffinity: ReadonlySet<PodInfo>;
  readonly podsWithRequiredAntiAffinity: ReadonlySet<PodInfo>;
  /** The sum of its pods' requests. */
  readonly requested: Resource;
  readonly nonZeroRequested: { readonly milliCpu: number; readonly memory: number };
  readonly allocatable: Resource;
  /** By normalized name. */
  readonly imageStates: ReadonlyMap<string, ImageState>;
  /** The number of its pods that use a claim, by `namespace/name`. */
  readonly claimUsers: ReadonlyMap<string, number>;
  /** A number that is new after every change; no two states of any nodes of a process share one. Caches use it as their key. */
  readonly generation: number;
  addPod(pod: PodInfo): void;
  /** Returns whether the pod was there. */
  removePod(pod: PodInfo): boolean;
  /** A copy that changes independently. */
  clone(): NodeInfo;
}
