import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { Snapshot } from '../../framework/interface.ts';
import { newNodeInfo } from '../../framework/new-node-info.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { ImageStates } from './image-states.ts';
import { byTurnsOfZones, zoneOf } from './node-tree.ts';
import { MutableSnapshot } from './snapshot.ts';

interface KnownPod {
  readonly pod: PodInfo;
  readonly nodeName: string;
  /** The scheduler chose the node, but the API does not show the pod there yet. */
  readonly isAssumed: boolean;
}

/** Nodes and the pods on them, including assumed pods: upstream's cache. A pod may arrive before its node. */
export class Cache {
  readonly #nodes = new Map<string, NodeInfo>();
  /** Pods whose node is unknown. */
  readonly #strays = new Map<string, Map<string, PodInfo>>();
  readonly #pods = new Map<string, KnownPod>();
  readonly #images = new ImageStates();
  readonly #snapshot = new MutableSnapshot();
  readonly #changed = new Set<string>();
  #isReordered = false;

  get nodeCount(): number {
    return this.#nodes.size;
  }

  /** Adds or updates a node. */
  setNode(node: Node): void {
    const name = nameOf(node);
    const before = this.#nodes.get(name);
    if (before !== undefined) this.#images.remove(before.node);
    this.#images.add(node);
    const pods = before?.pods ?? this.#strays.get(name);
    const info = newNodeInfo(node, pods?.values(), this.#images.of);
    this.#strays.delete(name);
    this.#nodes.set(name, info);
    if (before === undefined || zoneOf(before.labels) !== zoneOf(info.labels)) this.#isReordered = true;
    this.#changed.add(name);
  }

  removeNode(name: string): void {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    this.#images.remove(node.node);
    this.#nodes.delete(name);
    if (node.pods.size > 0) this.#strays.set(name, new Map(node.pods));
    this.#isReordered = true;
  }

  getNode(name: string): NodeInfo | undefined {
    return this.#nodes.get(name);
  }

  /** Adds or updates a pod that is on a node. */
  setPod(pod: PodInfo, nodeName: string): void {
    this.#put({ pod, nodeName, isAssumed: false });
  }

  /** Adds a pod to the node that was chosen for it. */
  assume(pod: PodInfo, nodeName: string): void {
    this.#put({ pod: { ...pod, pod: boundTo(pod.pod, nodeName) }, nodeName, isAssumed: true });
  }

  /** Removes an assumed pod. Returns false if the pod is not, or no longer, assumed. */
  forget(uid: string): boolean {
    if (!this.isAssumed(uid)) return false;
    this.removePod(uid);
    return true;
  }

  removePod(uid: string): void {
    const known = this.#pods.get(uid);
    if (known === undefined) return;
    this.#pods.delete(uid);
    const { pod, nodeName } = known;
    const node = this.#nodes.get(nodeName);
    if (node === undefined) this.#removeStray(nodeName, uid);
    else if (node.removePod(pod)) this.#changed.add(nodeName);
  }

  isAssumed(uid: string): boolean {
    return this.#pods.get(uid)?.isAssumed ?? false;
  }

  getPod(uid: string): PodInfo | undefined {
    return this.#pods.get(uid)?.pod;
  }

  /** The nodes at the last call of `takeSnapshot`. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Updates the snapshot and returns it. It is always the same object. */
  takeSnapshot(): Snapshot {
    if (this.#isReordered) this.#snapshot.reset(byTurnsOfZones(this.#nodes.values()).map((node) => node.clone()));
    else for (const name of this.#changed) this.#replace(name);
    this.#isReordered = false;
    this.#changed.clear();
    return this.#snapshot;
  }

  #replace(name: string): void {
    const node = this.#nodes.get(name);
    if (node !== undefined) this.#snapshot.replace(node.clone());
  }

  #put(known: KnownPod): void {
    const { pod, nodeName } = known;
    this.removePod(pod.uid);
    this.#pods.set(pod.uid, known);
    const node = this.#nodes.get(nodeName);
    if (node === undefined) this.#addStray(nodeName, pod);
    else {
      node.addPod(pod);
      this.#changed.add(nodeName);
    }
  }

  #addStray(nodeName: string, pod: PodInfo): void {
    const strays = this.#strays.get(nodeName) ?? new Map<string, PodInfo>();
    this.#strays.set(nodeName, strays.set(pod.uid, pod));
  }

  #removeStray(nodeName: string, uid: string): void {
    const strays = this.#strays.get(nodeName);
    strays?.delete(uid);
    if (strays?.size === 0) this.#strays.delete(nodeName);
  }
}

const boundTo = (pod: Pod, nodeName: string): Pod => ({ ...pod, spec: { ...pod.spec, nodeName } });
