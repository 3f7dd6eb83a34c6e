import { typedObject } from '#lib/api/typed.ts';
import type { Node, NodeCondition, Taint } from '#lib/api/types/core.v1.ts';
import { LEASES, NODES, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { recordEvent, recordOnce } from '#lib/client/record/record-event.ts';
import { isNodeReady } from '#lib/helpers/component-helpers/node/readiness.ts';
import { taintsOf } from '#lib/helpers/component-helpers/scheduling/corev1/taints.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { decideEvictions, type EvictionRates, isCounted, RATES, zoneOf } from './evictions.ts';
import {
  Deadlines,
  GRACE,
  type GracePeriods,
  graceOf,
  Heartbeats,
  heartbeatOf,
  lostConditions,
  readiness,
} from './health.ts';
import { notReady } from './pods.ts';
import { oldLabels, scheduleTaints } from './taints.ts';

const COMPONENT = 'node-controller';
/** The number of a node's pods written in parallel. */
const AT_ONCE = 8;
const ALL = 'all';

const isNode = ({ group, resource }: ObjectChange): boolean => group === '' && resource === 'nodes';

/** Upstream's node lifecycle controller as two reconcilers: one for the health of nodes, one for evictions. */
export const nodeLifecycle = (
  client: Client,
  clock: Clock,
  grace = GRACE,
  { rates = RATES, events = new EventCorrelator(clock) } = {},
): readonly Reconciler[] => [nodeHealth(client, events, grace), nodeEviction(client, clock, rates)];

/**
 * Sets the conditions of a silent node to Unknown, taints nodes by their conditions, and marks pods of lost nodes as not ready. Lease
 * renewals trigger no work: a node is checked again when its grace period could be over.
 */
function nodeHealth(client: Client, events: EventCorrelator, grace: GracePeriods): Reconciler {
  const lost = new Set<string>();
  const health = new Health(client, events, grace);
  return {
    name: 'node-lifecycle',
    keys(change) {
      if (isNode(change)) {
        const isLost =
          change.type !== 'DELETED' && !['', 'True'].includes(readiness(typedObject(NODES, change.object())));
        if (isLost) lost.add(change.name);
        else lost.delete(change.name);
        return change.type === 'DELETED' ? [`gone/${change.name}/${uidOf(change.object())}`] : [`node/${change.name}`];
      }
      if (change.group !== '' || change.resource !== 'pods' || lost.size === 0) return [];
      const node = change.type === 'DELETED' ? '' : (typedObject(PODS, change.object()).spec.nodeName ?? '');
      return lost.has(node) ? [`node/${node}`] : [];
    },
    reconcile: (key) => health.reconcile(key),
  };
}

class Health {
  readonly #client: Clientset;
  readonly #clock: Clock;
  readonly #events: EventCorrelator;
  readonly #grace: GracePeriods;
  readonly #heartbeats = new Heartbeats();
  readonly #deadlines = new Deadlines();
  readonly #registered = new Set<string>();

  constructor(client: Client, events: EventCorrelator, grace: GracePeriods) {
    this.#client = clientset(client);
    this.#clock = events.clock;
    this.#events = events;
    this.#grace = grace;
  }

  async reconcile(key: string): Promise<Result> {
    const [what, name = '', uid = ''] = key.split('/');
    if (what === 'gone') return this.#removed(name, uid);
    const found = await this.#client.get({ resource: NODES, namespace: '', name });
    if (found === undefined) return undefined;
    await this.#register(found);
    const wait = await this.#silence(found);
    const node = wait > 0 ? found : await this.#lose(found);
    await this.#keepAway(node);
    if (!['', 'True'].includes(readiness(node))) await this.#podsNotReady(node);
    return wait > 0 ? { requeueAfter: wait } : undefined;
  }

  /** The time in ms until a silent node counts as lost, 0 if it is lost. */
  async #silence(node: Node): Promise<number> {
    const lease = await this.#client.get({ resource: LEASES, namespace: 'kube-node-lease', name: nameOf(node) });
    const heard = this.#heartbeats.note(nameOf(node), heartbeatOf(node, lease), this.#clock);
    return this.#deadlines.left(nameOf(node), heard + graceOf(node, this.#grace), this.#clock.monotonic());
  }

  async #lose(node: Node): Promise<Node> {
    const conditions = lostConditions(node, this.#clock.now());
    if (conditions === undefined) return node;
    const lost = await this.#writeConditions(node, conditions);
    if (!isNodeReady(node)) return lost; // it was not ready before
    const message = `Node ${nameOf(node)} status is now: NodeNotReady`;
    await recordEvent(this.#recorder('Node'), lost, { type: 'Normal', reason: 'NodeNotReady', message });
    return lost;
  }

  #writeConditions(node: Node, conditions: readonly NodeCondition[]): Promise<Node> {
    const next = { ...node, status: { ...node.status, conditions: [...conditions] } };
    return this.#client.update({ resource: NODES, namespace: '', name: nameOf(node) }, next, 'status');
  }

  async #keepAway(node: Node): Promise<void> {
    const taints = scheduleTaints(node, this.#clock.now());
    if (taints !== undefined) await setTaints(this.#client, node, taints);
    const labels = oldLabels(node);
    if (Object.keys(labels).length === 0) return;
    await this.#client.patch({ resource: NODES, namespace: '', name: nameOf(node) }, { metadata: { labels } });
  }

  async #podsNotReady(node: Node): Promise<void> {
    const pods = await this.#client.list(PODS, { fieldSelector: `spec.nodeName=${nameOf(node)}` });
    await forEachAtOnce(AT_ONCE, pods, async (pod) => {
      const status = notReady(pod, node, this.#clock.now());
      if (status === undefined) return;
      const ref = { resource: PODS, namespace: namespaceOf(pod), name: nameOf(pod) };
      const updated = await this.#client.update(ref, { ...pod, status }, 'status').catch(ignoreNotFound);
      const event: EventText = { type: 'Warning', reason: 'NodeNotReady', message: 'Node is not ready' };
      if (updated !== undefined) await recordEvent(this.#recorder('Pod'), updated, event);
    });
  }

  async #register(node: Node): Promise<void> {
    if (this.#registered.has(uidOf(node))) return;
    this.#registered.add(uidOf(node));
    await this.#tell(node, 'RegisteredNode', `Registered Node ${nameOf(node)} in Controller`);
  }

  async #removed(name: string, uid: string): Promise<undefined> {
    this.#registered.delete(uid);
    this.#heartbeats.forget(name);
    this.#deadlines.forget(name);
    await this.#tell({ metadata: { name, uid } }, 'RemovingNode', `Removing Node ${name} from Controller`);
    return undefined;
  }

  async #tell(node: JsonObject, reason: string, what: string): Promise<void> {
    const message = `Node ${nameOf(node)} event: ${what}`;
    await recordOnce(this.#recorder('Node'), node, { type: 'Normal', reason, message });
  }

  #recorder(kind: string) {
    return { client: this.#client, component: COMPONENT, apiVersion: 'v1', kind, events: this.#events };
  }
}

async function setTaints(client: Client, node: Node, taints: readonly Taint[]): Promise<void> {
  const metadata = { uid: uidOf(node), resourceVersion: resourceVersionOf(node) };
  const ref = { resource: NODES, namespace: '', name: nameOf(node) };
  await client.patch(ref, { metadata, spec: { taints: [...taints] } });
}

/** Adds the taint that evicts pods to lost nodes, at the speed that `rates` allows. One reconciliation covers all nodes. */
function nodeEviction(client: Client, clock: Clock, rates: EvictionRates): Reconciler {
  const known = new Map<string, string>();
  const stateOf = (node: Node): string =>
    JSON.stringify([
      readiness(node),
      zoneOf(node),
      isCounted(node),
      taintsOf(node).map(({ key, effect }) => [key, effect]),
    ]);
  return {
    name: 'node-eviction',
    keys(change) {
      if (!isNode(change)) return [];
      const state = change.type === 'DELETED' ? undefined : stateOf(typedObject(NODES, change.object()));
      const isSame = known.get(change.name) === state;
      if (state === undefined) known.delete(change.name);
      else known.set(change.name, state);
      return isSame ? [] : [ALL];
    },
    async reconcile() {
      const { changes, lookIn } = decideEvictions(await clientset(client).list(NODES), rates, clock.now());
      for (const { node, taints } of changes) await setTaints(client, node, taints).catch(ignoreNotFound);
      return lookIn === undefined ? undefined : { requeueAfter: lookIn };
    },
  };
}
