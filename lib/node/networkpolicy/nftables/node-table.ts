import { FAMILIES, type Family } from '#lib/machinery/net/addr.ts';
import type { Chain, NftMap, NftSet, Table } from '#lib/node/nftables/table.ts';
import type { NetworkPod } from '../network-pod.ts';
import type { Direction, ParsedPolicy } from '../policy.ts';
import type { PolicyIndex } from '../policy-index.ts';
import { hashed } from './names.ts';
import { ADDRESS, IP, type NeededSet, policyChains } from './policy-rules.ts';

/** The base chains, egress first. An `accept` only ends its own chain, so a packet has to pass both. */
const HOOKS = {
  egress: { type: 'filter', hook: 'forward', priority: 0 },
  ingress: { type: 'filter', hook: 'forward', priority: 1 },
} as const;

/**
 * The rules before those of policies. They accept replies and established flows. Kernels without SCTP conntrack do not track SCTP ports, so
 * one established flow would allow all ports. Policies are therefore always applied to a packet that requests an association (its first
 * chunk is INIT, type 1). Neighbors on one bridge discover each other with ICMPv6, regardless of policies.
 */
const FIRST = [
  'meta l4proto != sctp ct state established,related accept',
  'meta l4proto sctp @th,96,8 != 1 ct state established,related accept',
  'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } ip6 hoplimit 255 accept',
];
/**
 * Bridged packets that no rule can assign to a pod. Some have link-local addresses, which no pod status contains. Others are sent to all
 * pods of a bridge at once. They are dropped on a node with isolated pods.
 */
const UNASSIGNED = {
  egress: ['ip6 saddr fe80::/10 drop'],
  ingress: ['ip6 daddr fe80::/10 drop', 'fib daddr type { broadcast, multicast } drop'],
} as const;

/**
 * The table of a node, which enforces the policies on its pods. Traffic of the node itself is not forwarded and passes. Unchanged parts are
 * the same objects as in the previous table. The index drops peers that the table no longer uses.
 */
export function nodeTable(index: PolicyIndex, node: string): Table {
  const parts = { chains: new Map<string, Chain>(), sets: new Map<string, NftSet>(), maps: new Map<string, NftMap>() };
  const needed = new Map<string, NeededSet>();
  const local = [...index.pods()].filter((pod) => pod.node === node);
  for (const direction of ['egress', 'ingress'] as const)
    addDirection(direction, verdictsOf(index, local, direction, { chains: parts.chains, needed }), parts);
  for (const [name, set] of needed) parts.sets.set(name, contentOf(index, set));
  index.retainPeers(new Set([...needed.values()].flatMap((set) => ('peer' in set ? set.peer.key : []))));
  return parts;
}

interface Parts {
  readonly chains: Map<string, Chain>;
  readonly sets: Map<string, NftSet>;
  readonly maps: Map<string, NftMap>;
}

function addDirection(direction: Direction, verdicts: readonly Verdict[], { chains, sets, maps }: Parts): void {
  const lookups = FAMILIES.map((family) => {
    const own = verdicts.filter((one) => one.family === family);
    const map = `${direction}${family}`;
    const elements = new Map(own.map(({ text, chain }) => [text, `goto ${chain}`]));
    maps.set(map, { type: `${ADDRESS[family]} : verdict`, elements });
    const itself = `itself-${map}`;
    const type = `${ADDRESS[family]} . ${ADDRESS[family]}`;
    sets.set(itself, { type, elements: new Set(own.map(({ text }) => `${text} . ${text}`)) });
    return { family, map, itself };
  });
  const side = direction === 'egress' ? 'saddr' : 'daddr';
  chains.set(direction, {
    hook: HOOKS[direction],
    rules: [
      ...FIRST,
      ...lookups.map(({ family, itself }) => `${IP[family]} saddr . ${IP[family]} daddr @${itself} accept`),
      ...(verdicts.length > 0 ? UNASSIGNED[direction] : []),
      ...lookups.map(({ family, map }) => `${IP[family]} ${side} vmap @${map}`),
    ],
  });
}

interface Verdict {
  readonly family: Family;
  readonly text: string;
  readonly chain: string;
}

/** The chain for each address of isolated pods. Pods that the same policies select share a chain. */
function verdictsOf(
  index: PolicyIndex,
  local: readonly NetworkPod[],
  direction: Direction,
  { chains, needed }: { readonly chains: Map<string, Chain>; readonly needed: Map<string, NeededSet> },
): Verdict[] {
  return local.flatMap((pod) => {
    const policies = index.selecting(pod, direction);
    const own = pod.addresses.filter(({ text }) => index.podAt(text) === pod);
    if (policies.length === 0 || own.length === 0) return [];
    const { name, chain } = isolation(policies, direction);
    if (!chains.has(name)) {
      chains.set(name, chain);
      for (const policy of policies) {
        const written = policyChains(policy, direction);
        for (const [key, one] of written.chains) chains.set(key, one);
        for (const [key, set] of written.sets) if (!needed.has(key)) needed.set(key, set);
      }
    }
    return own.map(({ family, text }) => ({ family, text, chain: name }));
  });
}

interface Isolation {
  readonly name: string;
  readonly chain: Chain;
}
const isolations = new WeakMap<readonly ParsedPolicy[], Isolation>();

/** The chain of the pods that these policies select. A packet is dropped unless one of the policies allows it. */
function isolation(policies: readonly ParsedPolicy[], direction: Direction): Isolation {
  const known = isolations.get(policies);
  if (known !== undefined) return known;
  const names = policies.map((policy) => policyChains(policy, direction).name);
  const chain = { rules: [...names.map((name) => `jump ${name}`), 'drop'] };
  const made = { name: `${direction}-${hashed(names.join())}`, chain };
  isolations.set(policies, made);
  return made;
}

const NO_ELEMENTS: ReadonlySet<string> = new Set();
const contents = new WeakMap<ReadonlySet<string>, NftSet>();

/** The set's content. The object stays the same as long as its elements do. */
function contentOf(index: PolicyIndex, needed: NeededSet): NftSet {
  if ('fixed' in needed) return needed.fixed;
  const { family } = needed;
  if ('peer' in needed) return setOf(ADDRESS[family], index.members(needed.peer).elements(family));
  return setOf(`${ADDRESS[family]} . inet_service`, index.withPort(needed.port)?.elements(family) ?? NO_ELEMENTS);
}

function setOf(type: string, elements: ReadonlySet<string>): NftSet {
  if (elements === NO_ELEMENTS) return { type, elements };
  const known = contents.get(elements) ?? { type, elements };
  contents.set(elements, known);
  return known;
}
