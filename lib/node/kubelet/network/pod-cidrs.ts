import type { Node } from '#lib/api/types/core.v1.ts';
import { podCIDRsOf } from '#lib/helpers/component-helpers/node/pod-cidrs.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { networkText } from '#lib/machinery/net/prefix.ts';

const NONE =
  'the node has no spec.podCIDR yet: the server gives it one with --allocate-node-cidrs, or set --pod-cidr of the agent';

/** The pod ranges of a node in Go's notation, or the reason why there are none. */
export type PodCIDRs = { readonly cidrs: readonly string[] } | { readonly fault: string };

/** The ranges of the Node, or `configured` (`--pod-cidr`, separated by commas) if it has none. If both exist, they must be equal. */
export function effectivePodCIDRs(node: Node, configured: string): PodCIDRs {
  const given = podCIDRsOf(node);
  const own = configured.split(',').filter((one) => one.trim() !== '');
  const wrong = [...given, ...own].find((one) => parseCIDRSloppy(one.trim()) === undefined);
  if (wrong !== undefined) return { fault: `invalid CIDR address: ${wrong}` };
  const [fromNode, fromFlag] = [given.map(canonical), own.map(canonical)];
  if (fromNode.length > 0 && fromFlag.length > 0 && fromNode.join(',') !== fromFlag.join(','))
    return { fault: `--pod-cidr ${fromFlag.join(',')} differs from spec.podCIDRs ${fromNode.join(',')}` };
  const cidrs = fromNode.length > 0 ? fromNode : fromFlag;
  return cidrs.length > 0 ? { cidrs } : { fault: NONE };
}

function canonical(text: string): string {
  const prefix = parseCIDRSloppy(text.trim());
  return prefix === undefined ? text : networkText(prefix);
}
