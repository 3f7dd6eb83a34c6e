import { contains, type IpAddress, ipAddress } from './address.ts';
import { type NetworkPod, namedPortOn } from './network-pod.ts';
import type { Direction, PolicyName, PolicyRule, PortMatch, Protocol } from './policy.ts';
import type { PolicyIndex } from './policy-index.ts';

/** The first packet of a connection at its destination, after Service addresses have been replaced. */
export interface Connection {
  readonly from: string;
  readonly to: string;
  readonly protocol: Protocol;
  /** The destination port. */
  readonly port: number;
}

/**
 * Why one side allows or denies a connection. `Outside`: the address belongs to no pod, so no policy applies to that side. `Itself`: a pod
 * connects to itself. `OwnNode`: the other side is the pod's node. `NotIsolated`: no policy selects the pod. `Rule`: a rule allows it.
 * `NoRule`: policies select the pod, but none of their rules allows it.
 */
export type Reason = 'Outside' | 'Itself' | 'OwnNode' | 'NotIsolated' | 'Rule' | 'NoRule';

/** The verdict of one side of a connection. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: Reason;
  /** The policies that select the pod for this direction, sorted by name. */
  readonly selecting: readonly PolicyName[];
  /** The first rule that allows the connection: its policy and its field, such as `spec.ingress[0]`. */
  readonly rule?: PolicyName & { readonly field: string };
}

/** A connection is allowed if both the egress of its source and the ingress of its destination allow it. */
export interface Verdict {
  readonly allowed: boolean;
  readonly egress: Decision;
  readonly ingress: Decision;
}

/** Evaluates the policies for a connection. Throws a TypeError if `from` or `to` is not an address. */
export function evaluate(index: PolicyIndex, connection: Connection): Verdict {
  const from = addressOf(connection.from);
  const to = addressOf(connection.to);
  const packet = { source: sideOf(index, from), destination: sideOf(index, to), connection };
  const egress = decide(index, packet, 'egress');
  const ingress = decide(index, packet, 'ingress');
  return { allowed: egress.allowed && ingress.allowed, egress, ingress };
}

/** Whether the policies allow a connection. Throws like `evaluate`. */
export const allows = (index: PolicyIndex, connection: Connection): boolean => evaluate(index, connection).allowed;

interface Side {
  readonly address: IpAddress;
  readonly pod: NetworkPod | undefined;
}
interface Packet {
  readonly source: Side;
  readonly destination: Side;
  readonly connection: Connection;
}

const sideOf = (index: PolicyIndex, address: IpAddress): Side => ({ address, pod: index.podAt(address.text) });

function addressOf(text: string): IpAddress {
  const address = ipAddress(text);
  if (address === undefined) throw new TypeError(`not an IP address: ${JSON.stringify(text)}`);
  return address;
}

const yes = (reason: Reason): Decision => ({ allowed: true, reason, selecting: [] });

function decide(index: PolicyIndex, packet: Packet, direction: Direction): Decision {
  const { source, destination } = packet;
  const [own, other] = direction === 'egress' ? [source, destination] : [destination, source];
  if (own.pod === undefined) return yes('Outside');
  if (own.pod === other.pod) return yes('Itself');
  if (other.pod === undefined && isOwnNode(own.pod, other.address)) return yes('OwnNode');
  const policies = index.selecting(own.pod, direction);
  if (policies.length === 0) return yes('NotIsolated');
  const selecting = policies.map(({ namespace, name }) => ({ namespace, name }));
  for (const policy of policies) {
    const { namespace, name } = policy;
    const rule = policy[direction]?.find((one) => ruleAllows(index, one, other, packet));
    if (rule !== undefined)
      return { allowed: true, reason: 'Rule', selecting, rule: { namespace, name, field: rule.field } };
  }
  return { allowed: false, reason: 'NoRule', selecting };
}

function isOwnNode({ pod: { status } }: NetworkPod, { text }: IpAddress): boolean {
  const addresses = [
    ...(status.hostIPs ?? []).map(({ ip }) => ip),
    ...(status.hostIP === undefined ? [] : [status.hostIP]),
  ];
  return addresses.some((address) => ipAddress(address)?.text === text);
}

function ruleAllows(index: PolicyIndex, { peers, ports }: PolicyRule, other: Side, packet: Packet): boolean {
  const isPeer =
    peers === undefined ||
    peers.blocks.some((block) => contains(block, other.address)) ||
    peers.pods.some((peer) => other.pod !== undefined && index.members(peer).has(other.pod));
  return isPeer && (ports === undefined || ports.some((match) => portAllows(match, packet)));
}

function portAllows(match: PortMatch, { connection: { protocol, port }, destination }: Packet): boolean {
  if (match.protocol !== protocol) return false;
  if ('first' in match) return match.first <= port && port <= match.last;
  return destination.pod !== undefined && namedPortOn(destination.pod, match) === port;
}
