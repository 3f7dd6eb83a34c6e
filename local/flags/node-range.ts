import { InvalidArgumentError, type Command } from 'commander';
import type { NodeRange } from '#lib/controllers/node-ipam/decide.ts';
import { networkOf } from '#lib/controllers/node-ipam/network.ts';
import { listed } from './listed.ts';
import type { StartOptions } from '../start-options.ts';
import { StartFault } from '../start-fault.ts';
import { truth } from './truth.ts';

/** Upstream's flags of which addresses nodes get for their pods. */
export interface NodeRangeFlags {
  readonly allocateNodeCidrs: boolean;
  readonly clusterCidr?: readonly string[];
  readonly nodeCidrMaskSize?: number;
  readonly nodeCidrMaskSizeIpv4?: number;
  readonly nodeCidrMaskSizeIpv6?: number;
}

/** A network has so many times two blocks at most: upstream's limit. */
const MAX_BITS = 16;

/** Adds the flags to the command. */
export function nodeRangeFlags(command: Command): Command {
  return command
    .option('--allocate-node-cidrs [bool]', 'assign a range of pod addresses to every node', truth, false)
    .option('--cluster-cidr <cidrs>', 'the network of pod addresses, or one of each family', listed)
    .option('--node-cidr-mask-size <bits>', "the mask of a node's range, with one network", bits)
    .option('--node-cidr-mask-size-ipv4 <bits>', "the mask of a node's IPv4 range (default 24)", bits)
    .option('--node-cidr-mask-size-ipv6 <bits>', "the mask of a node's IPv6 range (default 64)", bits);
}

function bits(value: string): number {
  if (!/^\d{1,3}$/.test(value) || Number(value) > 128)
    throw new InvalidArgumentError('A mask is a number from 0 to 128.');
  return Number(value);
}

/** Reads the flags. Throws StartFault if nodes could get no range. */
export function nodeRangesOf(flags: NodeRangeFlags): Pick<StartOptions, 'nodeRanges'> {
  if (!flags.allocateNodeCidrs) return {};
  const ranges = (flags.clusterCidr ?? []).map((cidr) => rangeOf(cidr, flags));
  const families = new Set(ranges.map(({ network }) => network.bits));
  if (ranges.length === 0) throw new StartFault('--cluster-cidr: it has to be given with --allocate-node-cidrs');
  if (families.size < ranges.length) throw new StartFault('--cluster-cidr: one network of each family at most');
  return { nodeRanges: ranges };
}

function rangeOf(cidr: string, flags: NodeRangeFlags): NodeRange {
  const network = networkOf(cidr);
  if (network === undefined) throw new StartFault(`--cluster-cidr: ${cidr} is no network`);
  const both = (flags.clusterCidr ?? []).length > 1 ? undefined : flags.nodeCidrMaskSize;
  const own = network.bits === 32 ? flags.nodeCidrMaskSizeIpv4 : flags.nodeCidrMaskSizeIpv6;
  const length = own ?? both ?? (network.bits === 32 ? 24 : 64);
  if (length < network.length || length > network.bits || length - network.length > MAX_BITS)
    throw new StartFault(
      `--node-cidr-mask-size: ${length} does not suit ${cidr}: 0 to ${MAX_BITS} bits more than its own`,
    );
  return { network, length };
}
