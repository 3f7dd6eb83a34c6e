import { ignore } from '#lib/client/ignore.ts';
import { forEachAtOnce } from '#lib/controller/for-each.ts';
import { disrupted } from '#lib/controllers/taint-eviction/decide.ts';
import { arrayAt, objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../interface.ts';
import type { PodInfo } from '../pod-info.ts';

const PODS = { group: '', version: 'v1', resource: 'pods' };
/** Pods that are evicted at once. */
const AT_ONCE = 16;
/** How often in a row a pod is tried at once again whose victims would not leave. Then it waits as others do, lest it never ends. */
const ATTEMPTS = 3;
const ignoreGone = ignore('NotFound', 'Conflict');

/** A pod that others leave a node for. */
export interface Preemption {
  readonly preemptor: PodInfo;
  readonly nodeName: string;
  readonly victims: readonly JsonObject[];
  /** The plugin that has them leave. */
  readonly plugin: string;
}

/** Has victims leave while other pods are placed (KEP-4832): upstream's Executor. */
export class Executor {
  readonly #handle: Handle;
  /** Pods whose victims are being told, with the last of these once it is alone left. */
  readonly #running = new Map<string, JsonObject | undefined>();
  /** Those that were to be tried meanwhile. */
  readonly #heldBack = new Set<string>();
  /** How often in a row it went wrong. */
  readonly #failures = new Map<string, number>();

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** Begins, and returns at once. Victims that are on their way out already are not told again. */
  start(preemption: Preemption): void {
    const victims = preemption.victims.filter((victim) => !isDeleting(victim));
    if (victims.length === 0) return;
    this.#running.set(preemption.preemptor.uid, undefined);
    this.#handle.inBackground(this.#clearNominations(preemption));
    this.#handle.inBackground(this.#run({ ...preemption, victims }));
  }

  /** Whether the pod still has others leave, so that it has to wait. */
  isRunning({ uid }: PodInfo): boolean {
    if (!this.#running.has(uid)) return false;
    const last = this.#running.get(uid);
    const known = last && this.#handle.lister('pods').get(namespaceOf(last), nameOf(last));
    const isDone = last !== undefined && (known === undefined || isDeleting(known));
    if (!isDone) this.#heldBack.add(uid);
    return !isDone;
  }

  async #run(preemption: Preemption): Promise<void> {
    const { preemptor, victims } = preemption;
    let isDone = false;
    try {
      const evict = (victim: JsonObject): Promise<void> => this.#evict(preemption, victim);
      await forEachAtOnce(AT_ONCE, victims.slice(0, -1), evict);
      // From here on the pod may be tried as soon as the last is known to leave: that may be before the server has answered.
      const last = victims.at(-1);
      this.#running.set(preemptor.uid, last);
      if (last !== undefined) await evict(last);
      isDone = true;
    } finally {
      this.#running.delete(preemptor.uid);
      const wasHeldBack = this.#heldBack.delete(preemptor.uid);
      if (isDone ? wasHeldBack : this.#mayTryAgain(preemptor)) this.#handle.activate(preemptor.pod);
      if (isDone) this.#failures.delete(preemptor.uid);
    }
  }

  #mayTryAgain({ uid }: PodInfo): boolean {
    const failures = (this.#failures.get(uid) ?? 0) + 1;
    if (failures < ATTEMPTS) this.#failures.set(uid, failures);
    else this.#failures.delete(uid);
    return failures < ATTEMPTS;
  }

  /** Pods of lower priority that wait for the same node are to look for another one. */
  async #clearNominations({ preemptor, nodeName }: Preemption): Promise<void> {
    const { nominator, client } = this.#handle;
    const lower = nominator.nominatedPodsForNode(nodeName).filter(({ priority }) => priority < preemptor.priority);
    await forEachAtOnce(AT_ONCE, lower, async ({ pod, namespace, name, uid }) => {
      if (text(objectAt(pod, 'status'), 'nominatedNodeName') === '') return;
      const patch = { metadata: { uid }, status: { nominatedNodeName: null } };
      await client.patch({ resource: PODS, namespace, name }, patch, 'status').catch(ignoreGone);
    });
  }

  async #evict({ preemptor, nodeName, plugin }: Preemption, victim: JsonObject): Promise<void> {
    const isUnbound = this.#handle.preemptUnbound(uidOf(victim), plugin);
    if (!isUnbound && !(await this.#delete(victim, preemptor.pod))) return;
    this.#handle.record(victim, {
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      message: `Preempted by pod ${preemptor.uid} on node ${nodeName}${isUnbound ? ' (in kube-scheduler memory).' : ''}`,
      related: preemptor.pod,
    });
  }

  /** Tells first why. False where it was gone. */
  async #delete(victim: JsonObject, preemptor: JsonObject): Promise<boolean> {
    const { client, clock } = this.#handle;
    const ref = { resource: PODS, namespace: namespaceOf(victim), name: nameOf(victim) };
    const uid = uidOf(victim);
    try {
      const current = await client.get(ref);
      if (current === undefined || uidOf(current) !== uid) return false;
      const conditions = conditionsOfVictim(current, preemptor, clock.now());
      if (conditions !== undefined) await client.patch(ref, { metadata: { uid }, status: { conditions } }, 'status');
      await client.delete(ref, { uid });
      return true;
    } catch (error) {
      ignoreGone(error);
      return false;
    }
  }
}

/** Undefined where they say so already. */
function conditionsOfVictim(victim: JsonObject, preemptor: JsonObject, now: number): Json[] | undefined {
  const schedulerName = text(objectAt(preemptor, 'spec'), 'schedulerName');
  const message = `${schedulerName}: preempting to accommodate a higher priority pod`;
  const status = disrupted(victim, now, { reason: 'PreemptionByScheduler', message });
  return status && arrayAt(status, 'conditions');
}
