import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '#lib/api/types/networking.v1.ts';
import { EVERYTHING, type LabelSelector, NOTHING, selectorText } from '#lib/machinery/labels/selector.ts';
import { type AddrRange, without } from '#lib/machinery/net/range.ts';
import { isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { parseLabelSelector } from '#lib/server/registry/kinds/shared/label-selector.ts';
import { networkRange } from './address.ts';

/** A protocol that a policy can name. */
export type Protocol = 'TCP' | 'UDP' | 'SCTP';
/** The protocols that a policy can name. */
export const PROTOCOLS: readonly Protocol[] = ['TCP', 'UDP', 'SCTP'];
/** The metadata that policies read. Both client objects and stored objects have it. */
export interface PolicyMetadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
}
/** The fields of a policy that decide about traffic. */
export type PolicySource = Pick<NetworkPolicy, 'spec'> & { readonly metadata: PolicyMetadata };
/** The traffic direction of a rule, from the pod's point of view. */
export type Direction = 'ingress' | 'egress';

/** Pods selected by label. Without `namespaces`, only pods of the policy's own namespace match. Equal peers have equal `key`s. */
export interface PodPeer {
  readonly key: string;
  readonly namespace: string;
  readonly namespaces?: LabelSelector;
  readonly pods: LabelSelector;
}
/** The ports of one protocol from `first` to `last`, or the port with a name on the destination pod. */
export type PortMatch =
  | { readonly protocol: Protocol; readonly first: number; readonly last: number }
  | { readonly protocol: Protocol; readonly name: string };

/** One rule. An absent `peers` matches every peer, an absent `ports` all traffic. An empty list allows nothing. */
export interface PolicyRule {
  /** The field of the rule in the policy: `spec.ingress[0]`. */
  readonly field: string;
  readonly peers?: { readonly pods: readonly PodPeer[]; readonly blocks: readonly AddrRange[] };
  readonly ports?: readonly PortMatch[];
}

/** An invalid part of a policy. It allows nothing. */
export interface PolicyProblem {
  readonly policy: PolicyName;
  readonly field: string;
  readonly message: string;
}
/** The namespace and name of a policy. */
export interface PolicyName {
  readonly namespace: string;
  readonly name: string;
}

/** A parsed policy. An absent direction is one that the policy does not affect. */
export interface ParsedPolicy extends PolicyName {
  readonly selector: LabelSelector;
  readonly ingress?: readonly PolicyRule[];
  readonly egress?: readonly PolicyRule[];
  readonly problems: readonly PolicyProblem[];
}

/** Reports a problem with the field. */
type Report = (field: string, message: string) => void;

const known = new WeakMap<PolicySource, ParsedPolicy>();

/** Parses a policy. Parts that the API server would reject allow nothing and are listed in `problems`. */
export function parsePolicy(policy: PolicySource): ParsedPolicy {
  const parsed = known.get(policy) ?? parse(policy);
  known.set(policy, parsed);
  return parsed;
}

function parse({ metadata, spec }: PolicySource): ParsedPolicy {
  const name = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  const problems: PolicyProblem[] = [];
  const report: Report = (field, message) => problems.push({ policy: name, field, message });
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = spec;
  const types = policyTypes.length > 0 ? policyTypes : egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  const selector = parseLabelSelector(podSelector);
  // A policy with an invalid selector isolates all pods of its namespace.
  if (selector === undefined) report('spec.podSelector', 'is not a label selector');
  const rulesOf = (rules: readonly Rule[], direction: Direction): PolicyRule[] =>
    selector === undefined
      ? []
      : rules.map((rule, i) => ruleOf(rule, `spec.${direction}[${i}]`, { ...name, direction, report }));
  const directions = {
    ...(types.includes('Ingress') && {
      ingress: rulesOf(
        ingress.map(({ ports, from }) => ({ ports, peers: from })),
        'ingress',
      ),
    }),
    ...(types.includes('Egress') && {
      egress: rulesOf(
        egress.map(({ ports, to }) => ({ ports, peers: to })),
        'egress',
      ),
    }),
  };
  return { ...name, selector: selector ?? EVERYTHING, ...directions, problems };
}

/** A rule of either direction. */
interface Rule {
  readonly ports: readonly NetworkPolicyPort[] | undefined;
  readonly peers: readonly NetworkPolicyPeer[] | undefined;
}
interface Context extends PolicyName {
  readonly direction: Direction;
  readonly report: Report;
}

function ruleOf({ ports = [], peers = [] }: Rule, field: string, context: Context): PolicyRule {
  const list = context.direction === 'ingress' ? 'from' : 'to';
  const podPeers: PodPeer[] = [];
  const blocks: AddrRange[] = [];
  for (const [i, peer] of peers.entries()) {
    const place = `${field}.${list}[${i}]`;
    if (peer.ipBlock === undefined) podPeers.push(...podPeer(peer, place, context));
    else if (peer.podSelector !== undefined || peer.namespaceSelector !== undefined)
      context.report(place, 'may not specify both ipBlock and another peer');
    else blocks.push(...blockRanges(peer.ipBlock, `${place}.ipBlock`, context.report));
  }
  return {
    field,
    ...(peers.length > 0 && { peers: { pods: podPeers, blocks } }),
    ...(ports.length > 0 && {
      ports: ports.flatMap((port, i) => portMatch(port, `${field}.ports[${i}]`, context.report)),
    }),
  };
}

function podPeer({ podSelector, namespaceSelector }: NetworkPolicyPeer, field: string, context: Context): PodPeer[] {
  const { namespace, report } = context;
  if (podSelector === undefined && namespaceSelector === undefined) {
    report(field, 'must specify a peer');
    return [];
  }
  const pods = podSelector === undefined ? EVERYTHING : parseLabelSelector(podSelector);
  const namespaces = namespaceSelector === undefined ? NOTHING : parseLabelSelector(namespaceSelector);
  if (pods === undefined || namespaces === undefined) {
    report(field, 'has a selector that is not a label selector');
    return [];
  }
  const podText = selectorText(pods);
  if (namespaceSelector === undefined) return [{ key: `own ${namespace} ${podText}`, namespace, pods }];
  return [{ key: `all ${selectorText(namespaces)} ${podText}`, namespace, namespaces, pods }];
}

/**
 * The addresses of a block. One invalid exception invalidates the whole block. Otherwise addresses that it was meant to deny might be
 * allowed.
 */
function blockRanges({ cidr, except = [] }: IPBlock, field: string, report: Report): AddrRange[] {
  const range = networkRange(cidr);
  const holes = except.map(networkRange);
  if (range === undefined) report(`${field}.cidr`, 'is not a network');
  for (const [i, hole] of holes.entries()) if (hole === undefined) report(`${field}.except[${i}]`, 'is not a network');
  const parts = holes.filter((hole) => hole !== undefined);
  return range === undefined || parts.length < holes.length ? [] : without(range, parts);
}

function portMatch(
  { protocol: text = 'TCP', port, endPort }: NetworkPolicyPort,
  field: string,
  report: Report,
): PortMatch[] {
  const fail = (child: string, message: string): PortMatch[] => {
    report(`${field}.${child}`, message);
    return [];
  };
  const protocol = PROTOCOLS.find((one) => one === text);
  if (protocol === undefined) return fail('protocol', 'is not TCP, UDP or SCTP');
  if (port === undefined)
    return endPort === undefined ? [{ protocol, first: 0, last: 65_535 }] : fail('endPort', 'needs a port');
  if (typeof port === 'string')
    return endPort === undefined ? [{ protocol, name: port }] : fail('endPort', 'needs a port that is a number');
  if (isValidPortNum(port).length > 0) return fail('port', 'is not a port');
  const last = endPort ?? port;
  return isValidPortNum(last).length > 0 || last < port
    ? fail('endPort', 'is not a port from `port` upwards')
    : [{ protocol, first: port, last }];
}
