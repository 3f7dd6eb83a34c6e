import { typedObject } from '#lib/api/typed.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { FollowedType, NetworkType } from '#lib/server/channel/followed-types.ts';
import type { Ring } from '#lib/server/channel/ring.ts';
import {
  type InterestingObject,
  type Interests,
  isFollowing,
  isInterestedIn,
} from '#lib/server/channel/ring-interests.ts';
import { hasAddress, nodeConcernsNetworks, podConcernsNetworks } from '#lib/server/channel/ring-network.ts';
import { concernsItself } from '#lib/server/channel/ring-node.ts';
import { concernsNode } from '#lib/server/channel/ring-pod.ts';
import type { Version } from '#lib/storage/sequence.ts';

/** The types that nodes follow, by their groups: their agents look at no others. */
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

/** Whether a node may be rung for objects of this resource. */
export const isRungFor = ({ group, resource }: Pick<ObjectChange, 'group' | 'resource'>): boolean =>
  GROUPS.get(resource) === group;

/** The nodes that a pod's change is told to: those that it is on, or was. A change of its status alone is the node's own. */
export function nodesOf(change: ObjectChange): readonly string[] {
  if (!change.mentions('"nodeName"')) return [];
  const pod = typedObject(PODS, change.object());
  const previous = change.type === 'MODIFIED' ? change.previous?.() : undefined;
  const before = previous && typedObject(PODS, previous);
  const nodes = new Set([pod.spec.nodeName ?? '', before?.spec.nodeName ?? '']);
  nodes.delete('');
  return before === undefined || nodes.size > 1 || concernsNode(pod, before) ? [...nodes] : [];
}

/** Whether a change of a Node is told to its own agent, which has written most of them itself. */
function ringsItself(change: ObjectChange): boolean {
  const previous = change.type === 'MODIFIED' ? change.previous?.() : undefined;
  return previous === undefined || concernsItself(typedObject(NODES, change.object()), typedObject(NODES, previous));
}

/** Whether a pod's change is told to the nodes whose networks follow all pods. */
function ringsNetworksOfPods(change: ObjectChange): boolean {
  if (!change.mentions('"nodeName"')) return false;
  const pod = typedObject(PODS, change.object());
  if (change.type !== 'MODIFIED') return hasAddress(pod);
  const previous = change.previous?.();
  return previous === undefined || podConcernsNetworks(pod, typedObject(PODS, previous));
}

/** Whether a Node's change is told to the nodes whose networks follow all Nodes. */
function ringsNetworksOfNodes(change: ObjectChange): boolean {
  const previous = change.type === 'MODIFIED' ? change.previous?.() : undefined;
  return (
    previous === undefined || nodeConcernsNetworks(typedObject(NODES, change.object()), typedObject(NODES, previous))
  );
}

/** Changes of several objects, as far as rings tell of them: which nodes are rung, for which types, up to which version. Pure. */
export class RingBatch {
  /** For each node that is rung for itself or its pods, the newest version of each. */
  readonly #nodes = new Map<string, Map<'nodes' | 'pods', Version>>();
  readonly #objects = new Map<string, { readonly object: InterestingObject; readonly version: Version }>();
  /** Types of which every node is told. */
  readonly everyNode = new Map<'services' | 'runtimeclasses', Version>();
  /** Types of which every node is told whose network follows them. */
  readonly networks = new Map<NetworkType, Version>();

  /** Takes a change of whatever resource. Throws TypeError where the body is no object. */
  add(change: ObjectChange): void {
    if (!isRungFor(change)) return;
    const { resource: type, namespace, name, version = 0 } = change;
    switch (type) {
      case 'nodes':
        if (ringsItself(change)) this.#rings(name, 'nodes', version);
        if (ringsNetworksOfNodes(change)) raise(this.networks, 'allnodes', version);
        return;
      case 'pods':
        if (ringsNetworksOfPods(change)) raise(this.networks, 'allpods', version);
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

  /** Nodes that are rung for themselves or their pods. */
  get nodes(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  /** Whether any connected node may be rung. */
  get concernsAll(): boolean {
    return this.#objects.size + this.everyNode.size + this.networks.size > 0;
  }

  /** The ring of a node; undefined where nothing concerns it. */
  ringOf(node: string, interests: Interests): Ring | undefined {
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
