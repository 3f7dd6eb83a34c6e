import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { NODES, PODS, VOLUME_ATTACHMENTS } from '#lib/api/types/resources.ts';
import type { VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { requeueAfter } from '#lib/client/controller/requeue-after.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordOnce } from '#lib/client/record/record-event.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { nameOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { attachStep, DETACH_REQUESTED, isManaged, type NodeState, outcomeOf, planNode, type Wanted } from './decide.ts';
import { AttachKeys } from './keys.ts';
import { attachFailed, attachSucceeded, multiAttach } from './messages.ts';
import { type AttachableVolume, attachableOf, attachmentOf, needsVolumes } from './volumes.ts';
import { type Clients, World } from './world.ts';

/**
 * Upstream's attach-detach controller for volumes of CSI drivers. It creates VolumeAttachments for the pods of nodes and deletes those that
 * are no longer needed. It writes the attached volumes to each node's status. The key of a persistent volume creates VolumeAttachments, so
 * decisions about an exclusive volume are serialized. The key of a node does the rest.
 */
export function attachDetach(
  clients: { readonly client: Client; readonly keeper: Client },
  clock: Clock,
  events = new EventCorrelator(clock),
): Reconciler {
  const controller = new AttachDetach(
    { client: clientset(clients.client), keeper: clientset(clients.keeper) },
    clock,
    events,
  );
  const keys = new AttachKeys();
  return {
    name: 'attachdetach',
    keys: (change) => keys.of(change),
    reconcile(key) {
      const { namespace: what, name } = splitKey(key);
      return what === 'node' ? controller.node(name) : controller.volume(name);
    },
  };
}

class AttachDetach {
  readonly #clients: Clients;
  readonly #clock: Clock;
  readonly #recorder: Recorder;

  constructor(clients: Clients, clock: Clock, events: EventCorrelator) {
    this.#clients = clients;
    this.#clock = clock;
    this.#recorder = {
      client: clients.client,
      component: 'attachdetach-controller',
      apiVersion: 'v1',
      kind: 'Pod',
      events,
    };
  }

  async node(name: string): Promise<Result> {
    const world = new World(this.#clients);
    const state = await world.nodeState(name);
    if (state.node !== undefined && !isManaged(state.node)) return undefined;
    const now = this.#clock.now();
    const plan = planNode(state, now);
    for (const one of plan.cancel) await this.#mark(one, null);
    for (const one of plan.attached) await this.#tell(one.pods, () => attachSucceeded(one.volume.title));
    // The node must stop mounting a volume before the volume is detached.
    if (plan.volumesAttached !== undefined && state.node !== undefined)
      await this.#report(state.node, [...plan.volumesAttached]);
    for (const one of plan.detach) await this.#detach(one);
    for (const one of plan.request) await this.#mark(one, new Date(now).toISOString());
    const waits = await this.#outcomes(world, state, now);
    return requeueAfter(...plan.waits, ...waits);
  }

  /** Attaches inline volumes and reports failed attachments. Returns the times in ms until other attachments time out. */
  async #outcomes(world: World, state: NodeState, now: number): Promise<number[]> {
    const waits: number[] = [];
    for (const one of state.wanted) {
      const attachment = state.attachments.find((other) => nameOf(other) === attachmentOf(one.volume, state.name));
      if (attachment === undefined) {
        if (one.volume.source.inlineVolumeSpec !== undefined && state.node !== undefined)
          await this.#attach(world, one, state.name, []);
        continue;
      }
      const { error, wait } = outcomeOf(attachment, one.volume, now);
      if (wait !== undefined) waits.push(wait);
      if (error !== undefined) await this.#tell(one.pods, () => attachFailed(one.volume.title, error));
    }
    return waits;
  }

  async volume(name: string): Promise<Result> {
    const world = new World(this.#clients);
    const found = await world.volume(name);
    const volume = found === undefined ? undefined : attachableOf(found);
    const claim = found?.spec.claimRef;
    if (volume === undefined || claim === undefined || !(await world.requiresAttach(volume.driver))) return undefined;
    const pods = await this.#clients.client.list(PODS, { namespace: claim.namespace ?? '' });
    const users: Pod[] = [];
    for (const pod of pods.filter(needsVolumes)) {
      const all = await world.volumesOf(pod);
      if (all.some(({ uniqueName }) => uniqueName === volume.uniqueName)) users.push(pod);
    }
    for (const node of new Set(users.map(nodeNameOf)))
      await this.#attach(world, { volume, pods: on(node, users) }, node, users);
    return undefined;
  }

  /** Creates the VolumeAttachment of a node, unless it exists or another node has the volume. `users` are all pods with the volume. */
  async #attach(world: World, { volume, pods }: Wanted, node: string, users: readonly Pod[]): Promise<void> {
    const name = attachmentOf(volume, node);
    const attachments = await world.attachments();
    if (attachments.some((one) => nameOf(one) === name)) return;
    const others = attachments.filter((one) => isOf(volume, one));
    const decision = attachStep(volume, others);
    if (decision.step === 'refuse') {
      const there = users.filter((pod) => decision.nodes.includes(nodeNameOf(pod)));
      await this.#tell(pods, (pod) => multiAttach(volume.title, pod, there));
    }
    if (decision.step !== 'create') return;
    const found = await this.#clients.client.get({ resource: NODES, namespace: '', name: node });
    if (found === undefined || !isManaged(found)) return;
    const { driver: attacher, source } = volume;
    const created = await this.#clients.client
      .create(VOLUME_ATTACHMENTS, { metadata: { name }, spec: { attacher, nodeName: node, source } })
      .catch(ignore('AlreadyExists'));
    if (created !== undefined) attachments.push(created); // for the other nodes of this reconciliation
  }

  async #report(node: Node, volumesAttached: { name: string; devicePath: string }[]): Promise<void> {
    const metadata = { uid: uidOf(node), resourceVersion: resourceVersionOf(node) };
    const ref = { resource: NODES, namespace: '', name: nameOf(node) };
    await this.#clients.client.patch(ref, { metadata, status: { volumesAttached } }, 'status');
  }

  async #detach(attachment: VolumeAttachment): Promise<void> {
    const ref = { resource: VOLUME_ATTACHMENTS, namespace: '', name: nameOf(attachment) };
    await this.#clients.client.delete(ref, { uid: uidOf(attachment) }).catch(ignoreNotFound);
  }

  /** Stores the time of the request, so that a new process does not restart the wait. */
  async #mark(attachment: VolumeAttachment, time: string | null): Promise<void> {
    const ref = { resource: VOLUME_ATTACHMENTS, namespace: '', name: nameOf(attachment) };
    const metadata = { uid: uidOf(attachment), annotations: { [DETACH_REQUESTED]: time } };
    await this.#clients.keeper.patch(ref, { metadata }).catch(ignoreNotFound);
  }

  async #tell(pods: readonly Pod[], text: (pod: Pod) => ReturnType<typeof attachSucceeded>): Promise<void> {
    for (const pod of pods) await recordOnce(this.#recorder, pod, text(pod));
  }
}

const on = (node: string, pods: readonly Pod[]): Pod[] => pods.filter(({ spec }) => spec.nodeName === node);

/** Whether this controller made the VolumeAttachment for the volume. */
const isOf = (volume: AttachableVolume, attachment: VolumeAttachment): boolean =>
  nameOf(attachment) === attachmentOf(volume, attachment.spec.nodeName);
