import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { NodeRangeFlags } from '#lib/controllers/node-ipam/ranges.ts';
import { networkText } from '#lib/machinery/net/prefix.ts';
import { nodeRangeFlags, nodeRangesOf } from './node-range.ts';

const parse = (...argv: string[]) =>
  nodeRangesOf(nodeRangeFlags(new Command()).parse(argv, { from: 'user' }).opts<NodeRangeFlags>()).nodeRanges?.map(
    ({ network, length }) => `${networkText(network)} by ${length}`,
  );
const on = '--allocate-node-cidrs';

test.each<[string[], string[] | undefined]>([
  [[], undefined],
  [['--cluster-cidr', '10.0.0.0/16'], undefined],
  [[on, '--cluster-cidr', '10.0.0.0/16'], ['10.0.0.0/16 by 24']],
  [[on, '--cluster-cidr', '10.0.0.0/16', '--node-cidr-mask-size', '20'], ['10.0.0.0/16 by 20']],
  [
    [on, '--cluster-cidr', '10.0.0.0/16,fd00::/56', '--node-cidr-mask-size-ipv6', '60'],
    ['10.0.0.0/16 by 24', 'fd00::/56 by 60'],
  ],
])('reads the ranges from %j', (argv, expected) => expect(parse(...argv)).toEqual(expected));

test.each([
  [[on]],
  [[on, '--cluster-cidr', 'x']],
  [[on, '--cluster-cidr', '10.0.0.0/16,10.1.0.0/16']],
  [[on, '--cluster-cidr', '10.0.0.0/25']],
  [[on, '--cluster-cidr', '10.0.0.0/4']],
])('rejects the flags %j', (argv) => expect(() => parse(...argv)).toThrow(/^--(?:cluster-cidr|node-cidr-mask-size): /));
