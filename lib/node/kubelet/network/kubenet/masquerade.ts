import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { networkText } from '#lib/machinery/net/prefix.ts';
import { EMPTY, type Table, type TableName } from '#lib/node/nftables/table.ts';

/** The table for kubenet's masquerading. */
export const MASQUERADE_TABLE: TableName = { family: 'inet', name: 'davit_kubenet' };
/** After the rules for port mappings and Services. */
const PRIORITY = 110;

/**
 * The rules that replace the source address of outgoing pod traffic with the node's. Traffic to `nonMasquerade` keeps the pod's address.
 * With 0.0.0.0/0 all traffic keeps it, as does traffic of families other than that of `nonMasquerade`.
 */
export function masqueradeTable(podCIDRs: readonly string[], nonMasquerade: string): Table {
  const kept = parseCIDRSloppy(nonMasquerade);
  if (kept === undefined || kept.length === 0) return EMPTY;
  const family = kept.addr.family === 4 ? 'ip' : 'ip6';
  const sources = podCIDRs.flatMap((cidr) => {
    const prefix = parseCIDRSloppy(cidr);
    return prefix?.addr.family === kept.addr.family ? [networkText(prefix)] : [];
  });
  const rules = sources.map(
    (source) => `${family} saddr ${source} ${family} daddr != ${networkText(kept)} fib daddr type != local masquerade`,
  );
  const hook = { type: 'nat', hook: 'postrouting', priority: PRIORITY } as const;
  return { ...EMPTY, chains: new Map([['postrouting', { hook, rules }]]) };
}
