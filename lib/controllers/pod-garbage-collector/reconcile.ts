import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { isDeleting, nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { failed, hasEnded, isAskedToGo, isOutOfService, isStranded, nodeOf, THRESHOLD, tooMany } from './decide.ts';

/** The time in ms for which a node may be missing before its pods are deleted. */
const QUARANTINE = 40_000;
/** The number of pods terminated in parallel. */
const AT_ONCE = 8;
const TERMINATED = 'terminated';

/**
 * Terminates pods that no node will terminate: pods on deleted or out-of-service nodes, deleted pods without a node, and the oldest
 * terminated pods above the threshold. Upstream's pod garbage collector, driven by changes.
 */
export function podGarbageCollector(client: Client, clock: Clock, threshold = THRESHOLD): Reconciler {
  const collector = new Collector(client, clock, threshold);
  return {
    name: 'pod-garbage-collector',
    keys: (change) => collector.keys(change),
    reconcile: (key) => collector.reconcile(key),
  };
}

class Collector {
  readonly #client: Clientset;
  readonly #clock: Clock;
  readonly #threshold: number;
  /** The existing nodes, and whether they are out of service. */
  readonly #nodes = new Map<string, boolean>();
  /** The times at which nodes were first missing. */
  readonly #missing = new Map<string, number>();
  readonly #ended = new Set<string>();

  constructor(client: Client, clock: Clock, threshold: number) {
    this.#client = clientset(client);
    this.#clock = clock;
    this.#threshold = threshold;
  }

  keys(change: ObjectChange): readonly string[] {
    if (change.group !== '') return [];
    if (change.resource === 'nodes') return this.#node(change);
    return change.resource === 'pods' ? this.#pod(change) : [];
  }

  #node(change: ObjectChange): readonly string[] {
    const { type, name } = change;
    if (type === 'DELETED') this.#nodes.delete(name);
    else this.#nodes.set(name, isOutOfService(typedObject(NODES, change.object())));
    if (type !== 'DELETED') this.#missing.delete(name);
    return this.#nodes.get(name) === false ? [] : [`node/${name}`];
  }

  #pod(change: ObjectChange): readonly string[] {
    const key = `${change.namespace}/${change.name}`;
    const pod = change.type === 'DELETED' ? undefined : typedObject(PODS, change.object());
    if (pod !== undefined && hasEnded(pod)) this.#ended.add(key);
    else this.#ended.delete(key);
    if (pod === undefined) return [];
    const many = this.#ended.size > this.#threshold ? [TERMINATED] : [];
    if (isStranded(pod)) return [...many, `pod/${key}`];
    const isLost = this.#nodes.get(nodeOf(pod)) ?? true;
    return nodeOf(pod) !== '' && isLost ? [...many, `node/${nodeOf(pod)}`] : many;
  }

  async reconcile(key: string): Promise<Result> {
    if (key === TERMINATED) return this.#endAll(tooMany(await this.#client.list(PODS), this.#threshold), false);
    const [what, ...names] = key.split('/');
    const [first = '', second = ''] = names;
    return what === 'pod' ? this.#stranded(first, second) : this.#podsOf(first);
  }

  async #stranded(namespace: string, name: string): Promise<Result> {
    const pod = await this.#client.get({ resource: PODS, namespace, name });
    return pod !== undefined && isStranded(pod) ? this.#endAll([pod], false) : undefined;
  }

  async #podsOf(name: string): Promise<Result> {
    const node = await this.#client.get({ resource: NODES, namespace: '', name });
    if (node !== undefined && !isOutOfService(node)) return undefined;
    const wait = node === undefined ? this.#quarantine(name) : 0;
    if (wait > 0) return { requeueAfter: wait };
    const pods = await this.#client.list(PODS, { fieldSelector: `spec.nodeName=${name}` });
    if (node !== undefined) return this.#endAll(pods.filter(isDeleting), false);
    await this.#endAll(pods, true);
    this.#missing.delete(name);
    return undefined;
  }

  /** The time in ms until a missing node counts as deleted. */
  #quarantine(name: string): number {
    const now = this.#clock.monotonic();
    const since = this.#missing.get(name) ?? now;
    this.#missing.set(name, since);
    return since + QUARANTINE - now;
  }

  async #endAll(pods: readonly Pod[], isOrphan: boolean): Promise<Result> {
    const left = pods.filter((pod) => !isAskedToGo(pod));
    await forEachAtOnce(AT_ONCE, left, (pod) => this.#end(pod, isOrphan).catch(ignoreNotFound));
    return undefined;
  }

  /** Terminates a pod. Sets its phase to Failed first, because no other component would record its end. */
  async #end(pod: Pod, isOrphan: boolean): Promise<void> {
    const ref = { resource: PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
    const next = failed(pod, isOrphan, this.#clock.now());
    const metadata = { uid: uidOf(pod), resourceVersion: resourceVersionOf(pod) };
    if (next !== undefined) await this.#client.patch(ref, { metadata, status: next.status }, 'status');
    await this.#client.delete(ref, { uid: uidOf(pod), gracePeriodSeconds: 0 });
  }
}
