import { isEverything, type LabelSelector, matches } from '#lib/machinery/labels/selector.ts';
import type { AddressOwners } from './address-owners.ts';
import type { NetworkPod } from './network-pod.ts';
import { PodSet } from './pod-set.ts';
import type { PodPeer } from './policy.ts';

/** A requested peer with the pods that it selects. */
class PeerSet extends PodSet {
  readonly peer: PodPeer;

  constructor(peer: PodPeer, owners: AddressOwners) {
    super(owners);
    this.peer = peer;
  }
}

/** The namespaces and pods that peers select from. */
export interface PeerWorld {
  readonly owners: AddressOwners;
  /** The labels of a namespace. Undefined if the namespace is unknown. */
  namespaceLabels(namespace: string): { readonly labels: Readonly<Record<string, string>> | undefined } | undefined;
  /** The pods of a namespace. */
  podsOf(namespace: string): Iterable<NetworkPod>;
  /** All namespaces that exist or have pods. */
  namespaces(): Iterable<string>;
}

/** The pods of peers, updated incrementally. A pod only affects peers that may select it by its namespace and a label. */
export class PeerSets {
  readonly #world: PeerWorld;
  readonly #sets = new Map<string, PeerSet>();
  /** The peers by namespace, then by a label that they require, or ''. The namespace is '' for peers with a namespace selector. */
  readonly #index = new Map<string, Map<string, Set<PeerSet>>>();

  constructor(world: PeerWorld) {
    this.#world = world;
  }

  /** The pods that a peer selects. The set stays up to date until `retain` omits the peer. */
  of(peer: PodPeer): PodSet {
    const known = this.#sets.get(peer.key);
    if (known !== undefined) return known;
    const set = new PeerSet(peer, this.#world.owners);
    this.#sets.set(peer.key, set);
    const bucket = this.#bucket(peer);
    bucket.add(set);
    const namespaces = peer.namespaces === undefined ? [peer.namespace] : this.#world.namespaces();
    for (const namespace of namespaces)
      if (this.#takesNamespace(peer, namespace))
        for (const pod of this.#world.podsOf(namespace)) if (matches(peer.pods, pod.pod.metadata.labels)) set.put(pod);
    return set;
  }

  /** Drops all peers except those with these keys. */
  retain(keys: ReadonlySet<string>): void {
    for (const [key, set] of this.#sets) {
      if (keys.has(key)) continue;
      this.#sets.delete(key);
      this.#unindex(set);
    }
  }

  #unindex(set: PeerSet): void {
    const place = placeOf(set.peer);
    const label = neededLabel(set.peer.pods);
    const byLabel = this.#index.get(place);
    const bucket = byLabel?.get(label);
    bucket?.delete(set);
    if (bucket?.size === 0) byLabel?.delete(label);
    if (byLabel?.size === 0) this.#index.delete(place);
  }

  /** Adds a new pod to the sets. */
  add(pod: NetworkPod): void {
    for (const set of this.#candidates(pod))
      if (this.#takesNamespace(set.peer, pod.namespace) && matches(set.peer.pods, pod.pod.metadata.labels))
        set.put(pod);
  }

  /** Removes a pod from the sets. */
  remove(pod: NetworkPod): void {
    for (const set of this.#candidates(pod)) set.delete(pod);
  }

  /** Handles a pod that has lost or gained the ownership of an address. */
  changed(pod: NetworkPod): void {
    for (const set of this.#candidates(pod)) if (set.has(pod)) set.changed(pod);
  }

  /** Handles the creation, deletion or new labels of a namespace. */
  namespaceChanged(namespace: string): void {
    for (const bucket of this.#index.get('')?.values() ?? [])
      for (const set of bucket) {
        const isTaken = this.#takesNamespace(set.peer, namespace);
        for (const pod of this.#world.podsOf(namespace))
          if (!isTaken) set.delete(pod);
          else if (!set.has(pod) && matches(set.peer.pods, pod.pod.metadata.labels)) set.put(pod);
      }
  }

  /** Whether the peer selects the namespace. Only a selector for all namespaces selects an unknown one, because its labels are unknown. */
  #takesNamespace(peer: PodPeer, namespace: string): boolean {
    if (peer.namespaces === undefined) return peer.namespace === namespace;
    if (isEverything(peer.namespaces)) return true;
    const known = this.#world.namespaceLabels(namespace);
    return known !== undefined && matches(peer.namespaces, known.labels);
  }

  #bucket(peer: PodPeer): Set<PeerSet> {
    const place = placeOf(peer);
    const byLabel = this.#index.get(place) ?? new Map<string, Set<PeerSet>>();
    this.#index.set(place, byLabel);
    const label = neededLabel(peer.pods);
    const bucket = byLabel.get(label) ?? new Set<PeerSet>();
    byLabel.set(label, bucket);
    return bucket;
  }

  *#candidates({ namespace, pod }: NetworkPod): Generator<PeerSet> {
    const labels = Object.entries(pod.metadata.labels ?? {}).map(([key, value]) => `${key}=${value}`);
    for (const place of ['', namespace]) {
      const byLabel = this.#index.get(place);
      if (byLabel === undefined) continue;
      for (const label of ['', ...labels]) yield* byLabel.get(label) ?? [];
      if (namespace === '') return;
    }
  }
}

const placeOf = ({ namespace, namespaces }: PodPeer): string => (namespaces === undefined ? namespace : '');

/** A label that the selector requires: `app=web`. '' if it requires none. */
function neededLabel({ requirements }: LabelSelector): string {
  for (const { key, operator, values } of requirements)
    if (['=', '==', 'in'].includes(operator) && values.length === 1) return `${key}=${values[0]}`;
  return '';
}
