import { typedObject } from '#lib/api/typed.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { hasAddress, nodeConcernsNetworks, podConcernsNetworks } from '#lib/server/channel/concerns-network.ts';
import { concernsItself } from '#lib/server/channel/concerns-node.ts';
import { concernsNode } from '#lib/server/channel/concerns-pod.ts';
import type { FollowedType, NetworkType } from '#lib/server/channel/followed-types.ts';
import { type InterestingObject, type Interests, isFollowing, isInterestedIn } from '#lib/server/channel/interests.ts';
import type { Notification } from '#lib/server/channel/notification.ts';
import type { Version } from '#lib/storage/sequence.ts';

/** The resources that nodes follow, with their groups. Node agents read no others. */
const GROUPS: ReadonlyMap<string, string> = new Map<FollowedType, string>([
  ['nodes', ''],
  ['pods', ''],
  ['secrets', ''],
  ['configmaps', ''],
  ['services', ''],
  ['runtimeclasses', 'node.k8s.io'],
  ['namespaces', ''],
  ['endpointslices', 'discovery.k8s.io'],
  ['servicecidrs', 'networking.k8s.io'],
  ['networkpolicies', 'networking.k8s.io'],
]);

/** Whether a change of this resource may notify a node. */
export const mayConcernNodes = ({ group, resource }: Pick<ObjectChange, 'group' | 'resource'>): boolean =>
  GROUPS.get(resource) === group;

/**
 * The nodes to notify of a pod's change: its current and its previous node. A change of only the status comes from the node itself and
 * notifies no node, unless it changes a readiness gate.
 */
export function nodesOf(change: ObjectChange): readonly string[] {
  if (!change.mentions('"nodeName"')) return [];
  const pod = typedObject(PODS, change.object());
  const previous = change.type === 'MODIFIED' ? change.previous?.() : undefined;
  const before = previous && typedObject(PODS, previous);
  const nodes = new Set([pod.spec.nodeName ?? '', before?.spec.nodeName ?? '']);
  nodes.delete('');
  return before === undefined || nodes.size > 1 || concernsNode(pod, before) ? [...nodes] : [];
}

/** Whether to notify a Node's own agent of a change. The agent has written most changes itself. */
function notifiesItself(change: ObjectChange): boolean {
  const previous = change.type === 'MODIFIED' ? change.previous?.() : undefined;
  return previous === undefined || concernsItself(typedObject(NODES, change.object()), typedObject(NODES, previous));
}

/** Whether a pod's change notifies the nodes whose networks follow all pods. */
function notifiesNetworksOfPods(change: ObjectChange): boolean {
  if (!change.mentions('"nodeName"')) return false;
  const pod = typedObject(PODS, change.object());
  if (change.type !== 'MODIFIED') return hasAddress(pod);
  const previous = change.previous?.();
  return previous === undefined || podConcernsNetworks(pod, typedObject(PODS, previous));
}

/** Whether a Node's change notifies the nodes whose networks follow all Nodes. */
function notifiesNetworksOfNodes(change: ObjectChange): boolean {
  const previous = change.type === 'MODIFIED' ? change.previous?.() : undefined;
  return (
    previous === undefined || nodeConcernsNetworks(typedObject(NODES, change.object()), typedObject(NODES, previous))
  );
}

/** Collects changes of several objects, and the nodes, types and newest versions to notify about. Pure. */
export class NotificationBatch {
  /** The newest version of `nodes` and `pods` for each node to notify. */
  readonly #nodes = new Map<string, Map<'nodes' | 'pods', Version>>();
  readonly #objects = new Map<string, { readonly object: InterestingObject; readonly version: Version }>();
  /** The types about which every node is notified. */
  readonly everyNode = new Map<'services' | 'runtimeclasses', Version>();
  /** The types about which a node is notified only if its network follows them. */
  readonly networks = new Map<NetworkType, Version>();

  /** Adds a change of any resource. Throws TypeError if the body is not an object. */
  add(change: ObjectChange): void {
    if (!mayConcernNodes(change)) return;
    const { resource: type, namespace, name, version = 0 } = change;
    switch (type) {
      case 'nodes':
        if (notifiesItself(change)) this.#rings(name, 'nodes', version);
        if (notifiesNetworksOfNodes(change)) raise(this.networks, 'allnodes', version);
        return;
      case 'pods':
        if (notifiesNetworksOfPods(change)) raise(this.networks, 'allpods', version);
        return nodesOf(change).forEach((node) => this.#rings(node, 'pods', version));
      case 'secrets':
      case 'configmaps':
        return void this.#objects.set(`${type}/${namespace}/${name}`, { object: { type, namespace, name }, version });
      case 'services':
      case 'runtimeclasses':
        return raise(this.everyNode, type, version);
      case 'namespaces':
      case 'endpointslices':
      case 'servicecidrs':
      case 'networkpolicies':
        return raise(this.networks, type, version);
    }
  }

  get isEmpty(): boolean {
    return this.#nodes.size + this.#objects.size + this.everyNode.size + this.networks.size === 0;
  }

  /** The nodes to notify of their own Node or their pods. */
  get nodes(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  /** Whether the batch may concern any connected node. */
  get concernsAll(): boolean {
    return this.#objects.size + this.everyNode.size + this.networks.size > 0;
  }

  /** The ring for a node; undefined if no change concerns it. */
  ringOf(node: string, interests: Interests): Notification | undefined {
    const ring = new Map<string, Version>(this.everyNode);
    for (const [type, version] of this.#nodes.get(node) ?? []) ring.set(type, version);
    for (const { object, version } of this.#objects.values())
      if (isInterestedIn(interests, object)) ring.set(object.type, Math.max(version, ring.get(object.type) ?? 0));
    for (const [type, version] of this.networks) if (isFollowing(interests, type)) ring.set(type, version);
    if (ring.size === 0) return undefined;
    return Object.fromEntries(Array.from(ring, ([type, version]) => [type, String(version)]));
  }

  #rings(node: string, type: 'nodes' | 'pods', version: Version): void {
    const versions = this.#nodes.get(node) ?? new Map<'nodes' | 'pods', Version>();
    this.#nodes.set(node, versions.set(type, Math.max(version, versions.get(type) ?? 0)));
  }
}

/** Keeps the newest version of a type. */
function raise<T>(versions: Map<T, Version>, type: T, version: Version): void {
  versions.set(type, Math.max(version, versions.get(type) ?? 0));
}
