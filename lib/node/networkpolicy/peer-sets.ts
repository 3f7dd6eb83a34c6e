import { isEverything, type LabelSelector, matches } from '#lib/machinery/labels/selector.ts';
import type { AddressOwners } from './address-owners.ts';
import type { NetworkPod } from './network-pod.ts';
import { PodSet } from './pod-set.ts';
import type { PodPeer } from './policy.ts';

/** A peer that someone asked about, with the pods that it selects. */
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
  /** The labels of a namespace; undefined where it is not known. */
  namespaceLabels(namespace: string): { readonly labels: Readonly<Record<string, string>> | undefined } | undefined;
  /** The pods of a namespace. */
  podsOf(namespace: string): Iterable<NetworkPod>;
  /** All namespaces that are known, or have pods. */
  namespaces(): Iterable<string>;
}

/** The pods of peers, kept by changes: a pod concerns only peers that may select it by its namespace and a label. */
export class PeerSets {
  readonly #world: PeerWorld;
  readonly #sets = new Map<string, PeerSet>();
  /** Peers by the namespace whose pods alone they take, or '' for those that select namespaces; then by a label that they ask for, or ''. */
  readonly #index = new Map<string, Map<string, Set<PeerSet>>>();

  constructor(world: PeerWorld) {
    this.#world = world;
  }

  /** The pods that a peer selects. The set is kept up to date until `retain` leaves it out. */
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

  /** Forgets all peers but these, by their keys. */
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

  /** Takes a pod that came. */
  add(pod: NetworkPod): void {
    for (const set of this.#candidates(pod))
      if (this.#takesNamespace(set.peer, pod.namespace) && matches(set.peer.pods, pod.pod.metadata.labels))
        set.put(pod);
  }

  /** Takes a pod that went. */
  remove(pod: NetworkPod): void {
    for (const set of this.#candidates(pod)) set.delete(pod);
  }

  /** Takes note that an address of the pod belongs to another, or to it again. */
  changed(pod: NetworkPod): void {
    for (const set of this.#candidates(pod)) if (set.has(pod)) set.changed(pod);
  }

  /** Takes other labels of a namespace, or that it came or went. */
  namespaceChanged(namespace: string): void {
    for (const bucket of this.#index.get('')?.values() ?? [])
      for (const set of bucket) {
        const isTaken = this.#takesNamespace(set.peer, namespace);
        for (const pod of this.#world.podsOf(namespace))
          if (!isTaken) set.delete(pod);
          else if (!set.has(pod) && matches(set.peer.pods, pod.pod.metadata.labels)) set.put(pod);
      }
  }

  /** A namespace that is not known has no labels that anyone vouches for: only a selector of all namespaces takes it. */
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

/** A label without which the selector takes no object: `app=web`; '' where it asks for none. */
function neededLabel({ requirements }: LabelSelector): string {
  for (const { key, operator, values } of requirements)
    if (['=', '==', 'in'].includes(operator) && values.length === 1) return `${key}=${values[0]}`;
  return '';
}
