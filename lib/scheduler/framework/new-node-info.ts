import type { Node } from '#lib/api/types/core.v1.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import type { ImageState, NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import { addResource, cloneResource, emptyResource, type Resource, resourceOf } from './resource.ts';

/** Counts node states in this process, so that no two states share a number. */
let generation = 0;

/** The sizes of a node's images in bytes, by every name of each image. */
export function imageSizes(node: Node): Map<string, number> {
  return new Map(
    (node.status.images ?? []).flatMap(({ names, sizeBytes = 0 }) =>
      (names ?? []).map((name): [string, number] => [name, Number(sizeBytes)]),
    ),
  );
}

type Facts = Pick<NodeInfo, 'name' | 'node' | 'labels' | 'allocatable' | 'imageStates'>;

/**
 * Creates the info of a node with these pods on it. `imageOf` returns the cluster-wide state of an image. By default, only this node has
 * the image.
 */
export function newNodeInfo(
  node: Node,
  pods: Iterable<PodInfo> = [],
  imageOf: (name: string, size: number) => ImageState = (_, size) => ({ size, numNodes: 1 }),
): NodeInfo {
  const images = [...imageSizes(node)].map(([name, size]): [string, ImageState] => [name, imageOf(name, size)]);
  const info = new NodeState({
    name: nameOf(node),
    node,
    labels: labelsOf(node),
    allocatable: resourceOf(Object.entries(node.status.allocatable ?? {})),
    imageStates: new Map(images),
  });
  for (const pod of pods) info.addPod(pod);
  return info;
}

class NodeState implements NodeInfo {
  readonly name: string;
  readonly node: Node;
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Resource;
  readonly imageStates: ReadonlyMap<string, ImageState>;
  readonly pods: Map<string, PodInfo>;
  readonly podsWithAffinity: Set<PodInfo>;
  readonly podsWithRequiredAntiAffinity: Set<PodInfo>;
  readonly requested: Resource;
  readonly nonZeroRequested: { milliCpu: number; memory: number };
  readonly claimUsers: Map<string, number>;
  generation: number;

  constructor({ name, node, labels, allocatable, imageStates }: Facts, held?: NodeState) {
    this.name = name;
    this.node = node;
    this.labels = labels;
    this.allocatable = allocatable;
    this.imageStates = imageStates;
    this.pods = new Map(held?.pods);
    this.podsWithAffinity = new Set(held?.podsWithAffinity);
    this.podsWithRequiredAntiAffinity = new Set(held?.podsWithRequiredAntiAffinity);
    this.requested = held === undefined ? emptyResource() : cloneResource(held.requested);
    this.nonZeroRequested = { milliCpu: 0, memory: 0, ...held?.nonZeroRequested };
    this.claimUsers = new Map(held?.claimUsers);
    this.generation = held?.generation ?? ++generation;
  }

  addPod(pod: PodInfo): void {
    this.removePod(pod);
    this.pods.set(pod.uid, pod);
    if (hasAffinity(pod)) this.podsWithAffinity.add(pod);
    if (pod.requiredAntiAffinityTerms.length > 0) this.podsWithRequiredAntiAffinity.add(pod);
    this.#count(pod, 1);
  }

  removePod({ uid }: PodInfo): boolean {
    const pod = this.pods.get(uid);
    if (pod === undefined) return false;
    this.pods.delete(uid);
    this.podsWithAffinity.delete(pod);
    this.podsWithRequiredAntiAffinity.delete(pod);
    this.#count(pod, -1);
    return true;
  }

  #count(pod: PodInfo, sign: 1 | -1): void {
    addResource(this.requested, pod.requests, sign);
    this.nonZeroRequested.milliCpu += sign * pod.nonZero.milliCpu;
    this.nonZeroRequested.memory += sign * pod.nonZero.memory;
    for (const claim of pod.claims) {
      const key = `${pod.namespace}/${claim}`;
      const users = (this.claimUsers.get(key) ?? 0) + sign;
      if (users > 0) this.claimUsers.set(key, users);
      else this.claimUsers.delete(key);
    }
    this.generation = ++generation;
  }

  clone(): NodeInfo {
    return new NodeState(this, this);
  }
}

function hasAffinity({ pod }: PodInfo): boolean {
  const { affinity } = pod.spec;
  return affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined;
}
