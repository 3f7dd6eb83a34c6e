import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { PodInfo } from './pod-info.ts';
import type { Resource } from './resource.ts';

/** An image on a node. */
export interface ImageState {
  /** Bytes. */
  readonly size: number;
  /** Nodes that have it. */
  readonly numNodes: number;
}

/** A node and what is on it: upstream's NodeInfo. Pods are there from the moment that they are given to it, before they are bound. */
export interface NodeInfo {
  readonly name: string;
  readonly node: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
  /** By uid. */
  readonly pods: ReadonlyMap<string, PodInfo>;
  readonly podsWithAffinity: ReadonlySet<PodInfo>;
  readonly podsWithRequiredAntiAffinity: ReadonlySet<PodInfo>;
  /** What its pods ask for together. */
  readonly requested: Resource;
  readonly nonZeroRequested: { readonly milliCpu: number; readonly memory: number };
  readonly allocatable: Resource;
  /** By normalized name. */
  readonly imageStates: ReadonlyMap<string, ImageState>;
  /** How many of its pods use a claim, by `namespace/name`. */
  readonly claimUsers: ReadonlyMap<string, number>;
  /** Another after every change, and no two states of any nodes of a process share one: what is kept by it is still true. */
  readonly generation: number;
  addPod(pod: PodInfo): void;
  /** Whether it was there. */
  removePod(pod: PodInfo): boolean;
  /** One that changes apart. */
  clone(): NodeInfo;
}
