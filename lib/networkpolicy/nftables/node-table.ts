import { FAMILIES, type Family } from '../address.ts';
import type { NetworkPod, PolicyIndex } from '../policy-index.ts';
import type { Direction, ParsedPolicy } from '../policy.ts';
import { hashed } from './names.ts';
import { policyRules } from './policy-rules.ts';
import { SetRegistry } from './set-registry.ts';
import { type NftChain, type NftTable } from './table.ts';

const IP = { 4: 'ip', 6: 'ip6' } as const;
const ADDRESS = { 4: 'ipv4_addr', 6: 'ipv6_addr' } as const;

/** Egress first. An `accept` ends its own chain alone, so that a packet has to pass both. */
const HOOKS = {
  egress: 'type filter hook forward priority filter; policy accept;',
  ingress: 'type filter hook forward priority filter + 1; policy accept;',
} as const;

/**
 * Rules that come before policies.
 * Replies and flows that are open pass. Kernels that do not follow SCTP know no ports of it, so that one open flow would
 * open all: a packet that asks for an association (its first chunk is INIT, type 1) always has to pass the policies.
 * Neighbours on one bridge find each other by ICMPv6, whatever policies say.
 */
const FIRST = [
  'meta l4proto != sctp ct state established,related accept',
  'meta l4proto sctp @th,96,8 != 1 ct state established,related accept',
  'icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } ip6 hoplimit 255 accept',
];
/**
 * Packets of bridges that no rule can assign to a pod: link-local addresses, which no status of a pod has, and those that
 * reach all pods of a bridge at once. They are dropped on a node with isolated pods.
 */
const UNASSIGNED = {
  egress: ['ip6 saddr fe80::/10 drop'],
  ingress: ['ip6 daddr fe80::/10 drop', 'fib daddr type { broadcast, multicast } drop'],
} as const;

/** The table of a node: what enforces the policies on its pods. Traffic of the node itself is not forwarded, and passes. */
export function nodeTable(index: PolicyIndex, node: string): NftTable {
  const sets = new SetRegistry();
  const chains = new Map<string, NftChain>();
  const local = index.pods.filter(
    (pod) => pod.node === node && pod.addresses.some(({ text }) => index.podAt(text) === pod),
  );
  for (const direction of ['egress', 'ingress'] as const) {
    const verdicts = verdictsOf(index, local, direction, { sets, chains });
    const maps = FAMILIES.map((family) => {
      const own = verdicts.filter((one) => one.family === family);
      const map = `${direction}${family}`;
      sets.add(map, { kind: 'map', type: `${ADDRESS[family]} : verdict` }, () =>
        own.map(({ text, chain }) => [text, `goto ${chain}`]),
      );
      const itself = `itself-${map}`;
      const type = `${ADDRESS[family]} . ${ADDRESS[family]}`;
      sets.add(itself, { kind: 'set', type }, () => own.map(({ text }) => [`${text} . ${text}`, '']));
      return { family, map, itself };
    });
    const side = direction === 'egress' ? 'saddr' : 'daddr';
    chains.set(direction, {
      hook: HOOKS[direction],
      rules: [
        ...FIRST,
        ...maps.map(({ family, itself }) => `${IP[family]} saddr . ${IP[family]} daddr @${itself} accept`),
        ...(verdicts.length > 0 ? UNASSIGNED[direction] : []),
        ...maps.map(({ family, map }) => `${IP[family]} ${side} vmap @${map}`),
      ],
    });
  }
  return { sets: sets.sets, chains };
}

interface Verdict {
  readonly family: Family;
  readonly text: string;
  readonly chain: string;
}

/** The chain of each address of isolated pods. Pods that the same policies select share a chain. */
function verdictsOf(
  index: PolicyIndex,
  local: readonly NetworkPod[],
  direction: Direction,
  { sets, chains }: { readonly sets: SetRegistry; readonly chains: Map<string, NftChain> },
): Verdict[] {
  return local.flatMap((pod) => {
    const policies = index.selecting(pod, direction);
    if (policies.length === 0) return [];
    const names = policies.map((policy) => chainOf(policy, direction));
    const chain = `${direction}-${hashed(names.join())}`;
    if (!chains.has(chain)) chains.set(chain, { rules: [...names.map((name) => `jump ${name}`), 'drop'] });
    for (const [i, policy] of policies.entries()) {
      const name = names[i];
      if (name !== undefined && !chains.has(name))
        chains.set(name, { rules: policyRules(index, policy, direction, sets) });
    }
    const own = pod.addresses.filter(({ text }) => index.podAt(text) === pod);
    return own.map(({ family, text }) => ({ family, text, chain }));
  });
}

const chainOf = ({ namespace, name }: ParsedPolicy, direction: Direction): string =>
  `${direction}-policy-${hashed(`${namespace}/${name}`)}`;
