import { FAMILIES, merged, rangeText, type Family } from '../address.ts';
import { namedPortOn, type NetworkPod, type PolicyIndex } from '../policy-index.ts';
import { PROTOCOLS, type Direction, type ParsedPolicy, type PolicyRule, type PortMatch } from '../policy.ts';
import { hashed } from './names.ts';
import type { SetRegistry } from './set-registry.ts';

const IP = { 4: 'ip', 6: 'ip6' } as const;
const ADDRESS = { 4: 'ipv4_addr', 6: 'ipv6_addr' } as const;

type NamedPort = Extract<PortMatch, { readonly name: string }>;
type PortRange = Extract<PortMatch, { readonly first: number }>;
interface Context {
  readonly index: PolicyIndex;
  readonly direction: Direction;
  readonly sets: SetRegistry;
}

/** The rules of a policy's chain for a direction: each accepts what one of the policy's rules allows. */
export function policyRules(
  index: PolicyIndex,
  policy: ParsedPolicy,
  direction: Direction,
  sets: SetRegistry,
): string[] {
  const context = { index, direction, sets };
  return (policy[direction] ?? []).flatMap((rule) => {
    const texts = FAMILIES.flatMap((family) => ruleTexts(rule, family, context));
    return [...new Set(texts)].map((text) => (text === '' ? 'accept' : `${text} accept`));
  });
}

/** The conditions under which a rule allows packets of a family; those that hold for both families name none. */
function ruleTexts(rule: PolicyRule, family: Family, context: Context): string[] {
  const peers = rule.peers === undefined ? [''] : peerTexts(rule.peers, family, context);
  const ports = rule.ports === undefined ? [''] : portTexts(rule.ports, family, context);
  return peers.flatMap((peer) => ports.map((port) => [peer, port].filter((text) => text !== '').join(' ')));
}

function peerTexts({ pods, blocks }: NonNullable<PolicyRule['peers']>, family: Family, context: Context): string[] {
  const { index, direction, sets } = context;
  const match = `${IP[family]} ${direction === 'egress' ? 'daddr' : 'saddr'}`;
  const podSets = pods.map((peer) =>
    sets.add(`pods${family}-${hashed(peer.key)}`, { kind: 'set', type: ADDRESS[family] }, () =>
      addressesOf(index, index.members(peer), family).map(({ text }) => [text, '']),
    ),
  );
  const ranges = merged(blocks.filter((block) => block.family === family)).map(rangeText);
  if (ranges.length === 0) return podSets.map((name) => `${match} @${name}`);
  // The name says the content: a block that changes is another set, and no interval ever changes in place.
  const block = sets.add(
    `block${family}-${hashed(ranges.join())}`,
    { kind: 'set', type: ADDRESS[family], flags: 'interval' },
    () => ranges.map((text) => [text, '']),
  );
  return [...podSets, block].map((name) => `${match} @${name}`);
}

function addressesOf(
  index: PolicyIndex,
  pods: Iterable<NetworkPod>,
  family: Family,
): { text: string; pod: NetworkPod }[] {
  return [...pods].flatMap((pod) =>
    pod.addresses
      .filter((address) => address.family === family && index.podAt(address.text) === pod)
      .map(({ text }) => ({ text, pod })),
  );
}

function portTexts(ports: readonly PortMatch[], family: Family, { index, sets }: Context): string[] {
  const named = ports.filter((port): port is NamedPort => 'name' in port);
  const texts = named.map((port) => {
    const type = `${ADDRESS[family]} . inet_service`;
    const name = sets.add(`named${family}-${hashed(`${port.protocol} ${port.name}`)}`, { kind: 'set', type }, () =>
      addressesOf(index, index.pods, family).flatMap(({ text, pod }): [string, string][] => {
        const number = namedPortOn(pod, port);
        return number === undefined ? [] : [[`${text} . ${number}`, '']];
      }),
    );
    return `meta l4proto ${port.protocol.toLowerCase()} ${IP[family]} daddr . th dport @${name}`;
  });
  const ranges = rangeTexts(ports.filter((port): port is PortRange => 'first' in port));
  if (ranges.length === 0) return texts;
  // `th dport` reads two bytes of the header, in which TCP, UDP and SCTP have the port alike.
  const set = sets.add(
    `ports-${hashed(ranges.join())}`,
    { kind: 'set', type: 'inet_proto . inet_service', flags: 'interval' },
    () => ranges.map((text) => [text, '']),
  );
  return [`meta l4proto . th dport @${set}`, ...texts];
}

/** Ranges that do not meet, protocol by protocol: nftables refuses intervals that overlap. */
function rangeTexts(ports: readonly PortRange[]): string[] {
  return PROTOCOLS.flatMap((protocol) => {
    const own = ports.filter((port) => port.protocol === protocol);
    const ranges = own.map(({ first, last }) => ({ family: 4 as const, first: BigInt(first), last: BigInt(last) }));
    return merged(ranges).map(
      ({ first, last }) => `${protocol.toLowerCase()} . ${first === last ? first : `${first}-${last}`}`,
    );
  });
}
