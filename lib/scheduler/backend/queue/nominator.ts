import type { Pod } from '#lib/api/types/core.v1.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { nominatedNodeNameOf } from '../../framework/places.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

const NONE: readonly PodInfo[] = [];

/** Pods that are nominated for a node until their victims have terminated: upstream's nominator. */
export class PodNominations {
  readonly #nodes = new Map<string, Map<string, PodInfo>>();
  readonly #nodeOf = new Map<string, string>();
  readonly #isPending: (pod: PodInfo) => boolean;

  /** `isPending` returns whether a pod still exists and has no node. Other pods are not nominated. */
  constructor(isPending: (pod: PodInfo) => boolean) {
    this.#isPending = isPending;
  }

  on(nodeName: string): readonly PodInfo[] {
    const pods = this.#nodes.get(nodeName);
    return pods === undefined ? NONE : [...pods.values()];
  }

  /** Nominates the pod for the given node, by default the node in its status. An empty name clears the nomination. */
  add(pod: PodInfo, nodeName = nominatedNodeNameOf(pod.pod)): void {
    this.delete(pod.uid);
    if (nodeName === '' || !this.#isPending(pod)) return;
    this.#nodeOf.set(pod.uid, nodeName);
    const on = this.#nodes.get(nodeName) ?? new Map<string, PodInfo>();
    this.#nodes.set(nodeName, on.set(pod.uid, pod));
  }

  /** Updates a pod. Keeps a nomination that its status does not show yet. */
  update(before: Pod, pod: PodInfo): void {
    const untold = nominatedNodeNameOf(before) === '' && nominatedNodeNameOf(pod.pod) === '';
    const kept = untold ? this.#nodeOf.get(uidOf(before)) : undefined;
    this.delete(uidOf(before));
    this.add(pod, kept);
  }

  delete(uid: string): void {
    const nodeName = this.#nodeOf.get(uid);
    if (nodeName === undefined) return;
    this.#nodeOf.delete(uid);
    const on = this.#nodes.get(nodeName);
    on?.delete(uid);
    if (on?.size === 0) this.#nodes.delete(nodeName);
  }
}
