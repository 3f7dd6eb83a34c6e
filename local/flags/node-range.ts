import { type Command, InvalidArgumentError } from 'commander';
import { type NodeRangeFlags, nodeRangesIn } from '#lib/controllers/node-ipam/ranges.ts';
import { defined } from '#lib/machinery/defined.ts';
import { StartFault } from '../start-fault.ts';
import type { StartOptions } from '../start-options.ts';
import { listed } from './listed.ts';
import { truth } from './truth.ts';

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

/** Reads the flags. Throws StartFault if no node could get a range. */
export function nodeRangesOf(flags: NodeRangeFlags): Pick<StartOptions, 'nodeRanges'> {
  try {
    return defined({ nodeRanges: nodeRangesIn(flags, (flag) => FLAGS[flag]) });
  } catch (error) {
    if (error instanceof TypeError) throw new StartFault(error.message, { cause: error });
    throw error;
  }
}

const FLAGS: Readonly<Record<keyof NodeRangeFlags, string>> = {
  allocateNodeCidrs: '--allocate-node-cidrs',
  clusterCidr: '--cluster-cidr',
  nodeCidrMaskSize: '--node-cidr-mask-size',
  nodeCidrMaskSizeIpv4: '--node-cidr-mask-size-ipv4',
  nodeCidrMaskSizeIpv6: '--node-cidr-mask-size-ipv6',
};
