import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { mustParsePrefix } from '#lib/machinery/net/parse-prefix.ts';
import { networkText, overlaps } from '#lib/machinery/net/prefix.ts';
import { assign, type NodeRange } from './decide.ts';

const network = mustParsePrefix;
const range = (cidr: string, length: number): NodeRange => ({ network: network(cidr), length });
const aNode = (name: string, cidrs: string[] = [], age = 0): Node =>
  decodedAs(NODES, {
    metadata: { name, creationTimestamp: new Date(1e12 - age * 1000).toISOString().replace('.000', '') },
    spec: cidrs.length === 0 ? {} : { podCIDRs: cidrs },
  });

test.each<[string, Node[], NodeRange[], string[], (string[] | undefined)[]]>([
  ['the first block', [aNode('a')], [range('10.244.0.0/16', 24)], [], [['10.244.0.0/24']]],
  [
    'one block per node',
    [aNode('a'), aNode('b')],
    [range('10.244.0.0/16', 24)],
    [],
    [['10.244.0.0/24'], ['10.244.1.0/24']],
  ],
  [
    'the block after the last assigned one',
    [aNode('a', ['10.244.7.0/24'], 1), aNode('b')],
    [range('10.244.0.0/16', 24)],
    [],
    [['10.244.8.0/24']],
  ],
  [
    'the first block again after the last',
    [aNode('a', ['10.0.3.0/24'], 1), aNode('b')],
    [range('10.0.0.0/22', 24)],
    [],
    [['10.0.0.0/24']],
  ],
  [
    'the remaining blocks until the range is exhausted',
    [aNode('a', ['10.0.0.0/24'], 1), aNode('b'), aNode('c')],
    [range('10.0.0.0/23', 24)],
    [],
    [['10.0.1.0/24'], undefined],
  ],
  ['no block of a service range', [aNode('a')], [range('10.0.0.0/22', 24)], ['10.0.0.0/23'], [['10.0.2.0/24']]],
  ['no block within a larger service range', [aNode('a')], [range('10.0.0.0/22', 24)], ['10.0.0.0/8'], [undefined]],
  [
    'no block that overlaps a smaller one',
    [aNode('a', ['10.0.0.64/26'], 1), aNode('b')],
    [range('10.0.0.0/23', 24)],
    [],
    [['10.0.1.0/24']],
  ],
  [
    'a block of each family',
    [aNode('a')],
    [range('10.0.0.0/16', 24), range('fd00:10::/56', 64)],
    [],
    [['10.0.0.0/24', 'fd00:10::/64']],
  ],
  [
    'a block independent of other networks',
    [aNode('a', ['192.168.0.0/24'], 1), aNode('b')],
    [range('10.0.0.0/16', 24)],
    [],
    [['10.0.0.0/24']],
  ],
])('assigns to a node %s', (_, nodes, ranges, services, expected) =>
  expect(assign(nodes, ranges, services).map(({ cidrs }) => cidrs)).toEqual(expected),
);

test('never assigns overlapping blocks to two nodes', () => {
  const held = fc.uniqueArray(fc.nat(63), { maxLength: 20 });
  fc.assert(
    fc.property(held, fc.nat(40), (indexes, fresh) => {
      const old = indexes.map((index) => aNode(`o${index}`, [`10.0.${index}.0/24`], index));
      const nodes = [...old, ...Array.from({ length: fresh }, (_, index) => aNode(`n${index}`))];
      const given = assign(nodes, [range('10.0.0.0/18', 24)], []).flatMap(({ cidrs }) => cidrs ?? []);
      const all = [...indexes.map((index) => `10.0.${index}.0/24`), ...given].map(network);
      expect(given).toHaveLength(Math.min(fresh, 64 - indexes.length));
      for (const [at, one] of all.entries())
        expect(
          all
            .slice(at + 1)
            .filter((other) => overlaps(one, other))
            .map(networkText),
        ).toEqual([]);
    }),
  );
});
