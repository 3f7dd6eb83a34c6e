import type { Pod } from '#lib/api/types/core.v1.ts';
import { isMirrorPod, MIRROR_POD } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { annotationOf, CONFIG_HASH, isStaticPod, podFullName } from '../types/pod-update.ts';

/** A pod and its mirror. */
export interface PodAndMirror {
  /** Undefined if a mirror pod has no static pod. */
  readonly pod: Pod | undefined;
  readonly mirrorPod: Pod | undefined;
  readonly wasMirror: boolean;
}

/** The pods from the node's sources, and the mirrors of static ones, which have the same full name (upstream: pod.Manager). */
export class PodManager {
  readonly #pods = new Map<string, Pod>();
  readonly #mirrors = new Map<string, Pod>();
  readonly #podsByName = new Map<string, Pod>();
  readonly #mirrorsByName = new Map<string, Pod>();

  /** Adds or replaces a pod or a mirror pod. */
  updatePod(pod: Pod): void {
    const isMirror = isMirrorPod(pod);
    (isMirror ? this.#mirrors : this.#pods).set(uidOf(pod), pod);
    (isMirror ? this.#mirrorsByName : this.#podsByName).set(podFullName(pod), pod);
  }

  removePod(pod: Pod): void {
    const isMirror = isMirrorPod(pod);
    const [byUid, byName] = isMirror ? [this.#mirrors, this.#mirrorsByName] : [this.#pods, this.#podsByName];
    byUid.delete(uidOf(pod));
    // A newer pod with the same name stays.
    if (uidOf(byName.get(podFullName(pod)) ?? pod) === uidOf(pod)) byName.delete(podFullName(pod));
  }

  /** The pods, without mirrors. */
  pods(): Pod[] {
    return [...this.#pods.values()];
  }

  mirrorPods(): Pod[] {
    return [...this.#mirrors.values()];
  }

  /** The mirror pods without a static pod. */
  orphanedMirrorPods(): Pod[] {
    return [...this.#mirrorsByName].flatMap(([name, mirror]) => (this.#podsByName.has(name) ? [] : [mirror]));
  }

  podByUid(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  podByName(namespace: string, name: string): Pod | undefined {
    return this.#podsByName.get(`${name}_${namespace}`);
  }

  mirrorPodOf(pod: Pod): Pod | undefined {
    return this.#mirrorsByName.get(podFullName(pod));
  }

  /** The pod with its mirror. For a mirror pod, its static pod. */
  podAndMirror(pod: Pod): PodAndMirror {
    if (isMirrorPod(pod)) return { pod: this.#podsByName.get(podFullName(pod)), mirrorPod: pod, wasMirror: true };
    return { pod, mirrorPod: this.mirrorPodOf(pod), wasMirror: false };
  }

  /** The uid of the static pod whose mirror has this uid, or else the uid itself. */
  translateUid(uid: string): string {
    const mirror = this.#mirrors.get(uid);
    const pod = mirror === undefined ? undefined : this.#podsByName.get(podFullName(mirror));
    return pod === undefined ? uid : uidOf(pod);
  }

  /** The uid of the pod in the API. For a static pod it is that of its mirror, or undefined if it has none yet. */
  apiUid(uid: string): string | undefined {
    const pod = this.#pods.get(uid);
    if (pod === undefined || !isStaticPod(pod)) return uid;
    const mirror = this.mirrorPodOf(pod);
    return mirror === undefined ? undefined : uidOf(mirror);
  }
}

/** Whether a mirror pod matches the current static pod. */
export function isMirrorPodOf(mirror: Pod, pod: Pod): boolean {
  const hash = annotationOf(mirror, MIRROR_POD);
  return (
    podFullName(mirror) === podFullName(pod) && hash !== undefined && hash === (annotationOf(pod, CONFIG_HASH) ?? '')
  );
}
