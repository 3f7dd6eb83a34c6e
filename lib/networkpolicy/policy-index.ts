import type { Namespace, Pod } from '#lib/api/types/core.v1.ts';
import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import { targetPortOn } from '#lib/controllers/endpointslice/service.ts';
import { isTerminal } from '#lib/controllers/workload/pod.ts';
import { isEverything, matches } from '#lib/machinery/labels/selector.ts';
import { ipAddress, type IpAddress } from './address.ts';
import {
  parsePolicy,
  type Direction,
  type ParsedPolicy,
  type PodPeer,
  type PolicyProblem,
  type PortMatch,
} from './policy.ts';

/** The objects that decide about traffic. Objects are read and kept by identity: they must not change in place. */
export interface PolicyObjects {
  readonly policies: Iterable<NetworkPolicy>;
  readonly namespaces: Iterable<Namespace>;
  readonly pods: Iterable<Pod>;
}

/** A pod with an address of its own. Pods that have ended, and those in the network of their host, are none. */
export interface NetworkPod {
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly pod: Pod;
  /** At most one of each family. */
  readonly addresses: readonly IpAddress[];
}

/** Policies, namespaces and pods at one moment, to be asked about traffic. */
export class PolicyIndex {
  /** Pods with addresses, in the order given. */
  readonly pods: readonly NetworkPod[];
  readonly #policies = new Map<string, ParsedPolicy[]>();
  readonly #namespaces = new Map<string, Namespace>();
  readonly #byAddress = new Map<string, NetworkPod>();
  readonly #members = new Map<string, ReadonlySet<NetworkPod>>();

  constructor({ policies, namespaces, pods }: PolicyObjects) {
    for (const policy of policies) {
      const parsed = parsePolicy(policy);
      const others = this.#policies.get(parsed.namespace);
      if (others === undefined) this.#policies.set(parsed.namespace, [parsed]);
      else others.push(parsed);
    }
    for (const namespace of namespaces) this.#namespaces.set(namespace.metadata.name ?? '', namespace);
    this.pods = [...pods].flatMap((pod) => networkPod(pod) ?? []);
    for (const pod of this.pods) for (const { text } of pod.addresses) this.#byAddress.set(text, pod);
  }

  /** The parts of policies that mean nothing, and therefore allow nothing. */
  get problems(): readonly PolicyProblem[] {
    return [...this.#policies.values()].flat().flatMap(({ problems }) => problems);
  }

  /** The pod that has an address, written canonically. */
  podAt(address: string): NetworkPod | undefined {
    return this.#byAddress.get(address);
  }

  /** The policies that select a pod for a direction, by name. Without any, the pod is not isolated for it. */
  selecting({ namespace, pod }: NetworkPod, direction: Direction): readonly ParsedPolicy[] {
    const own = this.#policies.get(namespace) ?? [];
    return own
      .filter((policy) => policy[direction] !== undefined && matches(policy.selector, pod.metadata.labels))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The pods that a peer of a policy selects. */
  members(peer: PodPeer): ReadonlySet<NetworkPod> {
    const known = this.#members.get(peer.key);
    if (known !== undefined) return known;
    const names = new Set(this.#namespacesOf(peer));
    const selected = this.pods.filter(
      ({ namespace, pod }) => (names.has(namespace) || selectsAll(peer)) && matches(peer.pods, pod.metadata.labels),
    );
    const members = new Set(selected);
    this.#members.set(peer.key, members);
    return members;
  }

  /** A namespace that is not known has no labels that anyone vouches for: only a selector of all namespaces takes it. */
  #namespacesOf({ namespace, namespaces }: PodPeer): string[] {
    if (namespaces === undefined) return [namespace];
    return [...this.#namespaces].flatMap(([name, { metadata }]) => (matches(namespaces, metadata.labels) ? name : []));
  }
}

const selectsAll = ({ namespaces }: PodPeer): boolean => namespaces !== undefined && isEverything(namespaces);

function networkPod(pod: Pod): NetworkPod | undefined {
  const { metadata, spec, status } = pod;
  if (spec.hostNetwork === true || isTerminal(pod)) return undefined;
  const texts = status.podIPs?.map(({ ip }) => ip) ?? (status.podIP === undefined ? [] : [status.podIP]);
  const addresses = texts.flatMap((text) => ipAddress(text) ?? []);
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '', node: spec.nodeName ?? '', pod, addresses };
}

/** The number of a named port on a pod; undefined where the pod has none of that name and protocol. */
export const namedPortOn = (
  { pod }: NetworkPod,
  { name, protocol }: Extract<PortMatch, { readonly name: string }>,
): number | undefined => targetPortOn(pod, { port: 0, targetPort: name, protocol });
