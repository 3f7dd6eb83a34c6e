import type { Node } from '#lib/api/types/core.v1.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import type { Prefix } from '#lib/machinery/net/prefix.ts';

/** The pod networks of a node as written: `spec.podCIDRs`, or `spec.podCIDR` if a client set only one IP family. */
export function podCIDRsOf({ spec }: Node): readonly string[] {
  const { podCIDRs = [], podCIDR = '' } = spec ?? {};
  return podCIDRs.length > 0 || podCIDR === '' ? podCIDRs : [podCIDR];
}

/** The pod networks of a node. Texts that are not networks are ignored. */
export const podPrefixesOf = (node: Node): Prefix[] => podCIDRsOf(node).flatMap((cidr) => parseCIDRSloppy(cidr) ?? []);
