import { type ReconcileMessage, requestKey } from '#lib/client/controller/delivery.ts';
import { KnownVersions } from '#lib/client/controller/known-versions.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { isDeleting, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { Cloud } from './cloud.ts';
import { core, NAMESPACES, refOf } from './refs.ts';

const HOUR = 3_600_000;
/** The number of function instances that stay alive and remember earlier work. */
const INSTANCES = 3;
/** The number of rounds with only requeued keys before it settles. */
const PATIENCE = 3;
const ROUNDS = 5000;

/**
 * Queues that are at least as bad as at-least-once delivery allows. Any message may be repeated at any time and in any order, to a warm or
 * a cold process. Two messages for different objects may run concurrently.
 */
export class Redelivery {
  readonly #cloud: Cloud;
  readonly #random: () => number;
  readonly #instances = Array.from({ length: INSTANCES }, () => new KnownVersions());
  readonly #bag: ReconcileMessage[] = [];
  readonly #held: ReconcileMessage[] = [];
  #isHolding = true;
  /** Every message that was ever sent. */
  readonly sent = new Map<string, ReconcileMessage>();

  constructor(cloud: Cloud, random: () => number) {
    this.#cloud = cloud;
    this.#random = random;
  }

  /** Delivers a few of the queued batches. */
  async some(): Promise<void> {
    for (let left = Math.floor(this.#random() * 4); left > 0; left--) await this.#step();
  }

  /** Runs until no message is queued. Messages held back an hour ago are mixed in. */
  async settle(): Promise<void> {
    let patience = PATIENCE;
    this.#isHolding = true;
    for (let round = 0; round < ROUNDS; round++) {
      if (await this.#step()) continue;
      if (await kubelet(this.#cloud)) continue;
      if (this.#held.length > 0) {
        this.#isHolding = false; // does not hold back the resulting messages, because the loop would never end
        await this.#cloud.pass(HOUR);
        this.#bag.push(...this.#held.splice(0));
      } else if (this.#cloud.later.length === 0 || patience-- === 0) return;
      await this.#cloud.pass(10_000);
      await this.#cloud.forward(this.#twice(this.#cloud.later.splice(0)));
    }
    throw new Error('not settled');
  }

  /** Delivers every message ever sent again, and all resulting messages. */
  async again(): Promise<void> {
    this.#bag.push(...this.sent.values());
    while (await this.#step());
  }

  /** Returns false if there was no work left. */
  async #step(): Promise<boolean> {
    await this.#cloud.stream();
    this.#take();
    if (this.#bag.length === 0) return false;
    const batches = [this.#batch()];
    if (this.#random() < 0.3) batches.push(this.#batch(new Set(batches[0]?.map(requestKey))));
    await Promise.all(
      batches.filter(({ length }) => length > 0).map((batch) => this.#cloud.work(batch, this.#process())),
    );
    return true;
  }

  #process(): KnownVersions | undefined {
    return this.#instances[Math.floor(this.#random() * 2 * INSTANCES)];
  }

  #take(): void {
    for (const message of this.#cloud.queue.splice(0)) {
      this.sent.set(JSON.stringify(message), message);
      this.#bag.push(...this.#twice([message]));
    }
  }

  #twice(messages: readonly ReconcileMessage[]): ReconcileMessage[] {
    return messages.flatMap((message) => {
      const luck = this.#random();
      if (luck < 0.2 && this.#isHolding) this.#held.push(message);
      return luck < 0.6 ? [message, message] : [message];
    });
  }

  #batch(but: ReadonlySet<string> = new Set()): ReconcileMessage[] {
    const batch: ReconcileMessage[] = [];
    for (let left = 1 + Math.floor(this.#random() * 10); left > 0 && this.#bag.length > 0; left--) {
      const [message] = this.#bag.splice(Math.floor(this.#random() * this.#bag.length), 1);
      if (message === undefined) break;
      if (but.has(requestKey(message))) this.#bag.push(message);
      else batch.push(message);
    }
    return batch;
  }
}

const NODE = 'n';
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const NODES = core('nodes');

/** Creates the only node, which runs all pods. */
export async function aNode(cloud: Cloud): Promise<void> {
  const { user } = cloud;
  await user.create(NAMESPACES, { metadata: { name: 'kube-node-lease' } });
  await user.create(NODES, { metadata: { name: NODE } });
  await user.create(LEASES, { metadata: { name: NODE, namespace: 'kube-node-lease' }, spec: { holderIdentity: NODE } });
  cloud.alive = () => beat(cloud);
  await cloud.alive();
}

/** Renews the node's heartbeat. */
async function beat({ user, clock }: Cloud): Promise<void> {
  const renewTime = `${new Date(clock.now()).toISOString().slice(0, -1)}000Z`;
  await user.patch(refOf(LEASES, 'kube-node-lease', NODE), { spec: { renewTime } });
  const now = timeOf(new Date(clock.now())) ?? '';
  const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: now, lastTransitionTime: now }];
  await user.patch(refOf(NODES, '', NODE), { status: { conditions } }, 'status');
}

/**
 * Simulates the node: pods are assigned, run and become ready, or succeed if they belong to a job. Deleted pods disappear. Returns whether
 * a pod changed.
 */
export async function kubelet(cloud: Cloud): Promise<boolean> {
  const { user } = cloud;
  let changed = false;
  for (const pod of await user.list(core('pods'))) {
    const ref = refOf(core('pods'), namespaceOf(pod), nameOf(pod));
    const { isDone, phase } = endOf(pod);
    if (isDeleting(pod)) await user.delete(ref, { uid: uidOf(pod), gracePeriodSeconds: 0 });
    else if (stringAt(objectAt(pod, 'spec'), 'nodeName') === undefined)
      await user.create(
        core('pods'),
        { metadata: { name: ref.name, namespace: ref.namespace }, target: { kind: 'Node', name: NODE } },
        'binding',
      );
    else if (stringAt(objectAt(pod, 'status'), 'phase') !== phase)
      await user.patch(ref, { status: statusOf(phase, isDone, cloud) }, 'status');
    else continue;
    changed = true;
  }
  return changed;
}

function endOf(pod: JsonObject) {
  const isDone = labelsOf(pod)['batch.kubernetes.io/job-name'] !== undefined;
  return { isDone, phase: isDone ? 'Succeeded' : 'Running' };
}

function statusOf(phase: string, isDone: boolean, { clock }: Cloud): JsonObject {
  const now = timeOf(new Date(clock.now())) ?? '';
  const conditions = [{ type: 'Ready', status: isDone ? 'False' : 'True', lastTransitionTime: now }];
  return { phase, startTime: now, conditions, podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
}
