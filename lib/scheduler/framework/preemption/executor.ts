import type { Pod, PodCondition } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import { ignore } from '#lib/client/ignore.ts';
import { withDisruptionTarget } from '#lib/helpers/component-helpers/pod/disruption-target.ts';
import { isDeleting, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../interface.ts';
import { nominatedNodeNameOf } from '../places.ts';
import type { PodInfo } from '../pod-info.ts';

/** The number of concurrent evictions. */
const AT_ONCE = 16;
/** The number of consecutive failed evictions at which a pod is no longer retried at once. It then waits like other pods. */
const ATTEMPTS = 3;
const ignoreGone = ignore('NotFound', 'Conflict');

/** A pod and its victims on a node. */
export interface Preemption {
  readonly preemptor: PodInfo;
  readonly nodeName: string;
  readonly victims: readonly Pod[];
  /** The preempting plugin. */
  readonly plugin: string;
}

/** Evicts victims while other pods are scheduled (KEP-4832): upstream's Executor. */
export class Executor {
  readonly #handle: Handle;
  /** Pods whose victims are being evicted. Each maps to its last victim once all others are evicted. */
  readonly #running = new Map<string, Pod | undefined>();
  /** Pods held back while their victims were being evicted. */
  readonly #heldBack = new Set<string>();
  /** The number of consecutive failures by pod. */
  readonly #failures = new Map<string, number>();

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** Starts evictions and returns at once. Skips victims that are already terminating. */
  start(preemption: Preemption): void {
    const victims = preemption.victims.filter((victim) => !isDeleting(victim));
    if (victims.length === 0) return;
    this.#running.set(preemption.preemptor.uid, undefined);
    this.#handle.inBackground(this.#clearNominations(preemption));
    this.#handle.inBackground(this.#run({ ...preemption, victims }));
  }

  /** Whether victims of the pod are still being evicted, so that it must wait. */
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
      const evict = (victim: Pod): Promise<void> => this.#evict(preemption, victim);
      await forEachAtOnce(AT_ONCE, victims.slice(0, -1), evict);
      // From here on the pod may be tried as soon as the last victim is known to terminate, possibly before the server has responded.
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

  /** Clears nominations of lower-priority pods for the same node, so that they look for another node. */
  async #clearNominations({ preemptor, nodeName }: Preemption): Promise<void> {
    const { nominator, client } = this.#handle;
    const lower = nominator.nominatedPodsForNode(nodeName).filter(({ priority }) => priority < preemptor.priority);
    await forEachAtOnce(AT_ONCE, lower, async ({ pod, namespace, name, uid }) => {
      if (nominatedNodeNameOf(pod) === '') return;
      const patch = { metadata: { uid }, status: { nominatedNodeName: null } };
      await client.patch({ resource: PODS, namespace, name }, patch, 'status').catch(ignoreGone);
    });
  }

  async #evict({ preemptor, nodeName, plugin }: Preemption, victim: Pod): Promise<void> {
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

  /** Writes the disruption condition, then deletes the pod. Returns false if the pod no longer existed. */
  async #delete(victim: Pod, preemptor: Pod): Promise<boolean> {
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

/** The victim's conditions with the disruption added; undefined if present. */
function conditionsOfVictim(victim: Pod, preemptor: Pod, now: number): PodCondition[] | undefined {
  const { schedulerName = '' } = preemptor.spec;
  const message = `${schedulerName}: preempting to accommodate a higher priority pod`;
  const { conditions: held } = victim.status;
  const conditions = withDisruptionTarget(victim, held, { reason: 'PreemptionByScheduler', message }, now);
  return conditions === held ? undefined : conditions;
}
