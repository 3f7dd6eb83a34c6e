import { bitLength } from '#lib/machinery/net/addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { networkText } from '#lib/machinery/net/prefix.ts';
import type { NodeRange } from './decide.ts';

/** Upstream's flags for the pod addresses of nodes, in camel case. */
export interface NodeRangeFlags {
  readonly allocateNodeCidrs?: boolean | undefined;
  readonly clusterCidr?: readonly string[] | undefined;
  readonly nodeCidrMaskSize?: number | undefined;
  readonly nodeCidrMaskSizeIpv4?: number | undefined;
  readonly nodeCidrMaskSizeIpv6?: number | undefined;
}

/** The maximum difference of prefix lengths, so at most 2^16 blocks per network: upstream's limit. */
const MAX_BITS = 16;

/**
 * The ranges that the flags configure. Undefined if nodes get none. `shown` formats the name of a flag as the user wrote it. Throws
 * TypeError if the flags are invalid. Its one-line message starts with the name of a flag.
 */
export function nodeRangesIn(
  flags: NodeRangeFlags,
  shown: (flag: keyof NodeRangeFlags) => string,
): readonly NodeRange[] | undefined {
  if (flags.allocateNodeCidrs !== true) return undefined;
  const name = shown('clusterCidr');
  const all = flags.clusterCidr ?? [];
  if (all.length === 0) throw new TypeError(`${name}: it has to be given with ${shown('allocateNodeCidrs')}`);
  const ranges = all.map((cidr): NodeRange => {
    const network = parseCIDRSloppy(cidr);
    if (network === undefined) throw new TypeError(`${name}: ${cidr} is no network`);
    const both = all.length > 1 ? undefined : flags.nodeCidrMaskSize;
    const { family } = network.addr;
    const own = family === 4 ? flags.nodeCidrMaskSizeIpv4 : flags.nodeCidrMaskSizeIpv6;
    const length = own ?? both ?? (family === 4 ? 24 : 64);
    if (length < network.length || length > bitLength(family) || length - network.length > MAX_BITS) {
      const mask = shown('nodeCidrMaskSize');
      throw new TypeError(`${mask}: ${length} does not suit ${cidr}: 0 to ${MAX_BITS} bits more than its own`);
    }
    return { network, length };
  });
  const families = new Set(ranges.map(({ network }) => network.addr.family));
  if (families.size < ranges.length) throw new TypeError(`${name}: one network of each family at most`);
  return ranges;
}

/** Formats ranges as text: `10.244.0.0/16=24,fd00::/48=64`. */
export const rangesText = (ranges: readonly NodeRange[]): string =>
  ranges.map(({ network, length }) => `${networkText(network)}=${length}`).join(',');

/** Parses such a text. Undefined if it is invalid. */
export function parseRanges(text: string): readonly NodeRange[] | undefined {
  const ranges = text.split(',').flatMap((one): NodeRange[] => {
    const [cidr = '', length = ''] = one.split('=');
    const network = parseCIDRSloppy(cidr);
    return network === undefined || !/^\d{1,3}$/.test(length) ? [] : [{ network, length: Number(length) }];
  });
  return ranges.length === text.split(',').length ? ranges : undefined;
}
