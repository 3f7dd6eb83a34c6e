import { matches } from '#lib/machinery/labels/selector.ts';
import { AddressOwners } from './address-owners.ts';
import { type NetworkPod, networkPod, type PolicyPod, portKey } from './network-pod.ts';
import { PeerSets } from './peer-sets.ts';
import { PodSet } from './pod-set.ts';
import {
  type Direction,
  type ParsedPolicy,
  type PodPeer,
  type PolicyMetadata,
  type PolicyProblem,
  type PolicySource,
  type PortMatch,
  parsePolicy,
} from './policy.ts';

/** The part of a namespace that selectors read. */
export interface PolicyNamespace {
  readonly metadata: PolicyMetadata;
}

/** The objects that decide about traffic. They are compared by identity and must not change in place. */
export interface PolicyObjects {
  readonly policies: Iterable<PolicySource>;
  readonly namespaces: Iterable<PolicyNamespace>;
  readonly pods: Iterable<PolicyPod>;
}

type Selecting = Readonly<Record<Direction, readonly ParsedPolicy[]>>;

/**
 * An index of policies, namespaces and pods for traffic decisions. The cost of a change is proportional to what it affects. Pods are
 * indexed by namespace, and requested peers by namespace and label. The order of changes makes no difference.
 */
export class PolicyIndex {
  readonly #owners = new AddressOwners();
  readonly #policies = new Map<string, Map<string, ParsedPolicy>>();
  readonly #namespaces = new Map<string, PolicyNamespace>();
  readonly #pods = new Map<string, Map<string, NetworkPod>>();
  readonly #ports = new Map<string, PodSet>();
  /** The selecting policies by namespace, because a changed policy only affects pods of its own namespace. */
  readonly #selecting = new Map<string, WeakMap<NetworkPod, Selecting>>();
  readonly #peers = new PeerSets({
    owners: this.#owners,
    namespaceLabels: (name) => {
      const namespace = this.#namespaces.get(name);
      return namespace && { labels: namespace.metadata.labels };
    },
    podsOf: (namespace) => this.#pods.get(namespace)?.values() ?? [],
    namespaces: () => new Set([...this.#namespaces.keys(), ...this.#pods.keys()]),
  });

  constructor({ policies, namespaces, pods }: PolicyObjects = { policies: [], namespaces: [], pods: [] }) {
    for (const policy of policies) this.putPolicy(policy);
    for (const namespace of namespaces) this.putNamespace(namespace);
    for (const pod of pods) this.putPod(pod);
  }

  /** The pods that policies consider, in no particular order. */
  *pods(): Generator<NetworkPod> {
    for (const own of this.#pods.values()) yield* own.values();
  }

  /** The invalid parts of policies, which therefore allow nothing. */
  get problems(): readonly PolicyProblem[] {
    return [...this.#policies.values()].flatMap((own) => [...own.values()].flatMap(({ problems }) => problems));
  }

  /** Handles a new or changed policy. */
  putPolicy(policy: PolicySource): void {
    const parsed = parsePolicy(policy);
    const own = this.#policies.get(parsed.namespace) ?? new Map<string, ParsedPolicy>();
    this.#policies.set(parsed.namespace, own.set(parsed.name, parsed));
    this.#selecting.delete(parsed.namespace);
  }

  /** Handles the deletion of a policy. */
  deletePolicy(namespace: string, name: string): void {
    const own = this.#policies.get(namespace);
    own?.delete(name);
    if (own?.size === 0) this.#policies.delete(namespace);
    this.#selecting.delete(namespace);
  }

  /** Handles a new or changed namespace. */
  putNamespace(namespace: PolicyNamespace): void {
    const { name = '' } = namespace.metadata;
    this.#namespaces.set(name, namespace);
    this.#peers.namespaceChanged(name);
  }

  /** Handles the deletion of a namespace. */
  deleteNamespace(name: string): void {
    this.#namespaces.delete(name);
    this.#peers.namespaceChanged(name);
  }

  /** Handles a new or changed pod. */
  putPod(pod: PolicyPod): void {
    const { namespace = '', name = '' } = pod.metadata;
    this.deletePod(namespace, name);
    const made = networkPod(pod);
    if (made === undefined) return;
    const own = this.#pods.get(namespace) ?? new Map<string, NetworkPod>();
    this.#pods.set(namespace, own.set(name, made));
    const losers = this.#owners.add(made);
    for (const [key, port] of made.ports) {
      const set = this.#ports.get(key) ?? new PodSet(this.#owners);
      this.#ports.set(key, set);
      set.put(made, ` . ${port}`);
    }
    this.#peers.add(made);
    for (const loser of losers) this.#ownsOthers(loser);
  }

  /** Handles the deletion of a pod. */
  deletePod(namespace: string, name: string): void {
    const own = this.#pods.get(namespace);
    const gone = own?.get(name);
    if (own === undefined || gone === undefined) return;
    own.delete(name);
    if (own.size === 0) this.#pods.delete(namespace);
    const heirs = this.#owners.remove(gone);
    for (const key of gone.ports.keys()) {
      const set = this.#ports.get(key);
      set?.delete(gone);
      if (set?.size === 0) this.#ports.delete(key);
    }
    this.#peers.remove(gone);
    for (const heir of heirs) this.#ownsOthers(heir);
  }

  #ownsOthers(pod: NetworkPod): void {
    for (const key of pod.ports.keys()) this.#ports.get(key)?.changed(pod);
    this.#peers.changed(pod);
  }

  /** The pod that owns an address in canonical form. The newest of several pods owns it. */
  podAt(address: string): NetworkPod | undefined {
    return this.#owners.owner(address);
  }

  /**
   * The policies that select a pod for a direction, sorted by name. Without any, the pod is not isolated in that direction. The array stays
   * the same until the policies change.
   */
  selecting(pod: NetworkPod, direction: Direction): readonly ParsedPolicy[] {
    const { namespace } = pod;
    const known = this.#selecting.get(namespace) ?? new WeakMap<NetworkPod, Selecting>();
    this.#selecting.set(namespace, known);
    const found = known.get(pod) ?? this.#select(pod);
    known.set(pod, found);
    return found[direction];
  }

  #select({ namespace, pod: { metadata } }: NetworkPod): Selecting {
    const own = [...(this.#policies.get(namespace)?.values() ?? [])];
    const selecting = own
      .filter(({ selector }) => matches(selector, metadata.labels))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return {
      ingress: selecting.filter(({ ingress }) => ingress !== undefined),
      egress: selecting.filter(({ egress }) => egress !== undefined),
    };
  }

  /** The pods that a peer of a policy selects. The set stays up to date until `retainPeers` omits the peer. */
  members(peer: PodPeer): PodSet {
    return this.#peers.of(peer);
  }

  /** Drops the pods of all peers except those with these keys. */
  retainPeers(keys: ReadonlySet<string>): void {
    this.#peers.retain(keys);
  }

  /** The pods that have a named port. Undefined if none has it. */
  withPort(port: Extract<PortMatch, { readonly name: string }>): PodSet | undefined {
    return this.#ports.get(portKey(port));
  }
}
