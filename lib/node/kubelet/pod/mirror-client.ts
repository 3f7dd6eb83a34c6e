import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { MIRROR_POD } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { annotationOf, CONFIG_HASH, isStaticPod } from '../types/pod-update.ts';
import { isMirrorPodOf } from './pod-manager.ts';

/** Maintains a pod in the API for each static pod of the node (upstream: pod.MirrorClient). */
export class MirrorClient {
  readonly #client: Clientset;
  readonly #node: string;

  constructor(client: Client, node: string) {
    this.#client = clientset(client);
    this.#node = node;
  }

  /**
   * Creates the mirror of a static pod if it is missing, and replaces one that differs or is being deleted. Does nothing while the Node is
   * not registered or is being deleted. Throws StatusError if the API is unavailable.
   */
  async reconcile(pod: Pod, mirror: Pod | undefined): Promise<void> {
    if (!isStaticPod(pod)) return;
    if (mirror !== undefined) {
      const isRight = !isDeleting(mirror) && isMirrorPodOf(mirror, pod);
      if (isRight || !(await this.delete(mirror))) return;
    }
    const node = await this.#client.get({ resource: NODES, namespace: '', name: this.#node }, { cached: true });
    if (node !== undefined && !isDeleting(node)) await this.#create(pod, node);
  }

  /** Deletes a mirror pod without a grace period. Returns whether it existed. */
  async delete(mirror: Pod): Promise<boolean> {
    try {
      await this.#client.delete(refOf(mirror), { gracePeriodSeconds: 0, uid: uidOf(mirror) });
      return true;
    } catch (error) {
      if (error instanceof StatusError && (error.reason === 'NotFound' || error.reason === 'Conflict')) return false;
      throw error;
    }
  }

  /** The node restriction only admits mirror pods whose owner is their Node. */
  async #create(pod: Pod, node: Node): Promise<void> {
    const hash = annotationOf(pod, CONFIG_HASH) ?? '';
    const owner = { apiVersion: 'v1', kind: 'Node', name: this.#node, uid: uidOf(node), controller: true };
    const annotations = { ...pod.metadata.annotations, [MIRROR_POD]: hash };
    const metadata = { ...pod.metadata, annotations, ownerReferences: [owner] };
    try {
      await this.#client.create(PODS, { ...pod, apiVersion: 'v1', kind: 'Pod', metadata });
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
      const found = await this.#client.get(refOf(pod));
      if (found === undefined || annotationOf(found, MIRROR_POD) !== hash) throw error;
    }
  }
}

const refOf = (pod: Pod) => ({ resource: PODS, namespace: namespaceOf(pod), name: nameOf(pod) });
