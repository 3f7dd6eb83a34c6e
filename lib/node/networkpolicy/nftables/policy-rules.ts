import { FAMILIES, type Family } from '#lib/machinery/net/addr.ts';
import { merged, rangeText } from '#lib/machinery/net/range.ts';
import type { Chain, NftSet } from '#lib/node/nftables/table.ts';
import {
  type Direction,
  type ParsedPolicy,
  type PodPeer,
  type PolicyRule,
  type PortMatch,
  PROTOCOLS,
} from '../policy.ts';
import { hashed } from './names.ts';

/** The keyword for IP in rules, by family. */
export const IP = { 4: 'ip', 6: 'ip6' } as const;
/** The type of addresses in sets, by family. */
export const ADDRESS = { 4: 'ipv4_addr', 6: 'ipv6_addr' } as const;

type NamedPort = Extract<PortMatch, { readonly name: string }>;
type PortRange = Extract<PortMatch, { readonly first: number }>;

/** A set that rules refer to. It holds the pods of a peer, the pods with a named port, or a fixed content. */
export type NeededSet =
  | { readonly peer: PodPeer; readonly family: Family }
  | { readonly port: NamedPort; readonly family: Family }
  | { readonly fixed: NftSet };

/** The rules of a policy for a direction, and everything they refer to. They only depend on the policy. */
export interface PolicyChains {
  /** The name of the policy's own chain. */
  readonly name: string;
  readonly chains: ReadonlyMap<string, Chain>;
  readonly sets: ReadonlyMap<string, NeededSet>;
}

type Known = Partial<Record<Direction, PolicyChains>>;
const known = new WeakMap<ParsedPolicy, Known>();

/** The chains of a policy for a direction. Each nftables rule accepts the traffic that one of the policy's rules allows. */
export function policyChains(policy: ParsedPolicy, direction: Direction): PolicyChains {
  const own = known.get(policy) ?? {};
  known.set(policy, own);
  return (own[direction] ??= new Writer(direction).write(policy));
}

/** The conditions of a rule, as alternative texts. */
type Conditions = readonly string[];

class Writer {
  readonly #direction: Direction;
  readonly #chains = new Map<string, Chain>();
  readonly #sets = new Map<string, NeededSet>();

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  write(policy: ParsedPolicy): PolicyChains {
    const { namespace, name } = policy;
    const rules = (policy[this.#direction] ?? []).flatMap((rule) => [
      ...new Set(FAMILIES.flatMap((family) => this.#ruleTexts(rule, family))),
    ]);
    const chain = `${this.#direction}-policy-${hashed(`${namespace}/${name}`)}`;
    this.#chains.set(chain, { rules });
    return { name: chain, chains: this.#chains, sets: this.#sets };
  }

  /**
   * The rules of a family. Rules that apply to both families do not contain a family. Several ports get a separate chain, so the number of
   * rules is not peers times ports.
   */
  #ruleTexts({ peers, ports }: PolicyRule, family: Family): string[] {
    const peerTexts = peers === undefined ? [''] : this.#peers(peers, family);
    const portTexts = ports === undefined ? [''] : this.#ports(ports, family);
    if (peerTexts.length < 2 || portTexts.length < 2)
      return peerTexts.flatMap((peer) => portTexts.map((port) => sentence(peer, port, 'accept')));
    const chain = `ports-${hashed(portTexts.join())}`;
    this.#chains.set(chain, { rules: portTexts.map((port) => sentence(port, 'accept')) });
    return peerTexts.map((peer) => sentence(peer, `jump ${chain}`));
  }

  #peers({ pods, blocks }: NonNullable<PolicyRule['peers']>, family: Family): Conditions {
    const match = `${IP[family]} ${this.#direction === 'egress' ? 'daddr' : 'saddr'}`;
    const names = pods.map((peer) => this.#need(`pods${family}-${hashed(peer.key)}`, { peer, family }));
    const ranges = merged(blocks.filter((block) => block.family === family)).map(rangeText);
    // The name depends on the content. A changed block becomes a new set, so no interval ever changes in place.
    const block = `block${family}-${hashed(ranges.join())}`;
    if (ranges.length > 0) names.push(this.#need(block, intervals(ADDRESS[family], ranges)));
    return names.map((name) => `${match} @${name}`);
  }

  #ports(ports: readonly PortMatch[], family: Family): Conditions {
    const named = ports.filter((port): port is NamedPort => 'name' in port);
    const texts = named.map((port) => {
      const name = this.#need(`named${family}-${hashed(`${port.protocol} ${port.name}`)}`, { port, family });
      return `meta l4proto ${port.protocol.toLowerCase()} ${IP[family]} daddr . th dport @${name}`;
    });
    const ranges = rangeTexts(ports.filter((port): port is PortRange => 'first' in port));
    if (ranges.length === 0) return texts;
    // `th dport` reads the same two header bytes for TCP, UDP and SCTP, which all have the port there.
    const set = this.#need(`ports-${hashed(ranges.join())}`, intervals('inet_proto . inet_service', ranges));
    return [`meta l4proto . th dport @${set}`, ...texts];
  }

  #need(name: string, set: NeededSet): string {
    this.#sets.set(name, set);
    return name;
  }
}

const sentence = (...words: readonly string[]): string => words.filter((word) => word !== '').join(' ');

const intervals = (type: string, ranges: readonly string[]): NeededSet => ({
  fixed: { type, flags: ['interval'], elements: new Set(ranges) },
});

/** Disjoint ranges for each protocol, because nftables refuses overlapping intervals. */
function rangeTexts(ports: readonly PortRange[]): string[] {
  return PROTOCOLS.flatMap((protocol) => {
    const own = ports.filter((port) => port.protocol === protocol);
    const ranges = own.map(({ first, last }) => ({ family: 4 as const, first: BigInt(first), last: BigInt(last) }));
    return merged(ranges).map(
      ({ first, last }) => `${protocol.toLowerCase()} . ${first === last ? first : `${first}-${last}`}`,
    );
  });
}
