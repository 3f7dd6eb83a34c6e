import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

export const nominatedNodeName = (pod: JsonObject): string => text(objectAt(pod, 'status'), 'nominatedNodeName');

/** Pods that are to go to a node once others have left it: upstream's nominator. */
export class PodNominations {
  readonly #nodes = new Map<string, Map<string, PodInfo>>();
  readonly #nodeOf = new Map<string, string>();
  readonly #isPending: (pod: PodInfo) => boolean;

  /** Only pods are nominated that are still there and have no node. */
  constructor(isPending: (pod: PodInfo) => boolean) {
    this.#isPending = isPending;
  }

  on(nodeName: string): readonly PodInfo[] {
    return [...(this.#nodes.get(nodeName)?.values() ?? [])];
  }

  /** For the node that is given, or that its status names. An empty name nominates it for none. */
  add(pod: PodInfo, nodeName = nominatedNodeName(pod.pod)): void {
    this.delete(pod.uid);
    if (nodeName === '' || !this.#isPending(pod)) return;
    this.#nodeOf.set(pod.uid, nodeName);
    const on = this.#nodes.get(nodeName) ?? new Map<string, PodInfo>();
    this.#nodes.set(nodeName, on.set(pod.uid, pod));
  }

  /** Keeps a nomination that no status tells of yet. */
  update(before: JsonObject, pod: PodInfo): void {
    const untold = nominatedNodeName(before) === '' && nominatedNodeName(pod.pod) === '';
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
