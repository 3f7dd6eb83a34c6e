import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NumaNode } from '../machine-topology.ts';
import { type BitMask, bitMask, bitMasksOf, bitsOf, countOf, isNarrowerThan } from './bitmask.ts';
import type { TopologyHint, TopologyHints } from './hint-provider.ts';
import { filterProvidersHints, mergeHints } from './merge.ts';
import { narrowest } from './numa-info.ts';
import { newTopologyPolicy } from './policy.ts';

const numa = (ids: readonly number[], distances?: readonly (readonly number[])[]): NumaNode[] =>
  ids.map((id, index) => ({ id, memory: 0, hugePages: [], cores: [], distances: distances?.[index] }));

const two = numa([0, 1]);
const four = numa([0, 1, 2, 3]);
const yes = (...nodes: number[]): TopologyHint => ({ affinity: bitMask(...nodes), preferred: true });
const no = (...nodes: number[]): TopologyHint => ({ affinity: bitMask(...nodes), preferred: false });
const any: TopologyHint = { affinity: undefined, preferred: true };
const hints = (...lists: (TopologyHint[] | undefined)[]): TopologyHints =>
  new Map(lists.map((list, index) => [`resource${index}`, list]));

const nothing: TopologyHints = new Map();

describe('the merged topology hint', () => {
  const cases: [string, NumaNode[], TopologyHints[], { [policy: string]: [TopologyHint, boolean] }][] = [
    [
      'of no providers is all nodes, preferred',
      two,
      [],
      { 'best-effort': [yes(0, 1), true], restricted: [yes(0, 1), true], 'single-numa-node': [any, true] },
    ],
    [
      'of providers without preference is all nodes, preferred',
      two,
      [nothing, hints(undefined)],
      { 'best-effort': [yes(0, 1), true], restricted: [yes(0, 1), true], 'single-numa-node': [any, true] },
    ],
    [
      'of a resource that cannot be allocated is all nodes, not preferred',
      two,
      [hints([])],
      {
        'best-effort': [no(0, 1), true],
        restricted: [no(0, 1), false],
        'single-numa-node': [{ affinity: undefined, preferred: false }, false],
      },
    ],
    [
      'of one provider is its narrowest preferred one',
      two,
      [hints([yes(1), yes(0), no(0, 1)])],
      { 'best-effort': [yes(0), true], restricted: [yes(0), true], 'single-numa-node': [yes(0), true] },
    ],
    [
      'agrees on the node that two providers share',
      two,
      [hints([yes(0), yes(1), no(0, 1)]), hints([yes(1), no(0, 1)])],
      { 'best-effort': [yes(1), true], restricted: [yes(1), true], 'single-numa-node': [yes(1), true] },
    ],
    [
      'of providers that share no node is not preferred',
      two,
      [hints([yes(0), no(0, 1)]), hints([yes(1), no(0, 1)])],
      {
        'best-effort': [no(0), true],
        restricted: [no(0), false],
        'single-numa-node': [{ affinity: undefined, preferred: false }, false],
      },
    ],
    [
      'of a resource that needs both nodes is preferred but not of a single node',
      two,
      [hints([yes(0, 1)])],
      {
        'best-effort': [yes(0, 1), true],
        restricted: [yes(0, 1), true],
        'single-numa-node': [{ affinity: undefined, preferred: false }, false],
      },
    ],
    [
      'that is not preferred has as many nodes as the most demanding resource needs',
      four,
      [hints([no(0, 1), no(0, 1, 2, 3)]), hints([yes(0), yes(1), no(0, 1), no(0, 1, 2, 3)])],
      {
        'best-effort': [no(0, 1), true],
        restricted: [no(0, 1), false],
        'single-numa-node': [{ affinity: undefined, preferred: false }, false],
      },
    ],
  ];
  for (const [name, nodes, providers, expected] of cases) {
    test.each(Object.entries(expected))(`the merged hint ${name} with policy %s`, (policy, [hint, admit]) => {
      expect(newTopologyPolicy(policy, nodes, {}).merge(providers)).toEqual({ hint, admit });
    });
  }

  test('prefers the closest nodes if the option is set', () => {
    const distances = [
      [10, 11, 12, 12],
      [11, 10, 12, 12],
      [12, 12, 10, 10],
      [12, 12, 10, 10],
    ];
    const wide = [hints([yes(0, 1), yes(0, 2), yes(2, 3), no(0, 1, 2, 3)])];
    const nodes = numa([0, 1, 2, 3], distances);
    const options = { 'prefer-closest-numa-nodes': 'true' };
    expect(newTopologyPolicy('restricted', nodes, {}).merge(wide).hint).toEqual(yes(0, 1));
    expect(newTopologyPolicy('restricted', nodes, options).merge(wide).hint).toEqual(yes(2, 3));
  });

  test('returns the same hint as a search over all combinations', () => {
    const mask = fc.integer({ min: 1, max: 15 }).map(BigInt);
    const hint = fc.record({ affinity: fc.option(mask, { nil: undefined }), preferred: fc.boolean() });
    const list = fc.option(fc.array(hint, { maxLength: 4 }), { nil: undefined });
    const provider = fc.array(list, { maxLength: 2 }).map((lists) => hints(...lists));
    fc.assert(
      fc.property(fc.array(provider, { maxLength: 3 }), (providers) => {
        const resources = filterProvidersHints(providers);
        const merged = mergeHints(resources, { defaultAffinity: 15n, fitter: narrowest });
        expect(merged).toEqual(bestOf(resources));
      }),
      { numRuns: 500 },
    );
  });
});

/** The best hint, found by sorting all merged hints. */
function bestOf(resources: readonly (readonly TopologyHint[])[]): { affinity: BitMask; preferred: boolean } {
  let all: TopologyHint[][] = [[]];
  for (const list of resources) all = all.flatMap((chosen) => list.map((hint) => [...chosen, hint]));
  const merged = all.map((chosen) => {
    const masks = chosen.flatMap(({ affinity }) => affinity ?? []);
    const preferred = chosen.every((hint) => hint.preferred) && new Set(masks).size < 2;
    return { affinity: masks.reduce((a, b) => a & b, 15n), preferred };
  });
  const narrow = (a: { affinity: BitMask }, b: { affinity: BitMask }): number =>
    isNarrowerThan(a.affinity, b.affinity) ? -1 : 1;
  const possible = merged.filter(({ affinity }) => affinity > 0n).sort(narrow);
  const minima = resources.map((list) => {
    const counts = list.flatMap(({ affinity }) => (affinity === undefined ? [] : [countOf(affinity)]));
    return counts.length === 0 ? 0 : Math.min(...counts);
  });
  const wanted = Math.max(0, ...minima);
  const fitting = possible.filter(({ affinity }) => countOf(affinity) <= wanted);
  const most = Math.max(...fitting.map(({ affinity }) => countOf(affinity)));
  return (
    possible.find(({ preferred }) => preferred) ??
    fitting.find(({ affinity }) => countOf(affinity) === most) ??
    possible[0] ?? { affinity: 15n, preferred: false }
  );
}

test.each<[string, NumaNode[], Record<string, string>, string]>([
  ['restricted', two, { 'unknown-option': 'x' }, 'unknown Topology Manager Policy option: "unknown-option"'],
  [
    'restricted',
    two,
    { 'prefer-closest-numa-nodes': 'yes' },
    'bad value for option "prefer-closest-numa-nodes": strconv.ParseBool: parsing "yes": invalid syntax',
  ],
  [
    'restricted',
    two,
    { 'prefer-closest-numa-nodes': 'true' },
    'cannot discover NUMA topology: error getting NUMA distances from cadvisor',
  ],
  [
    'restricted',
    two,
    { 'max-allowable-numa-nodes': 'many' },
    'unable to convert policy option to integer "max-allowable-numa-nodes": strconv.Atoi: parsing "many": invalid syntax',
  ],
  [
    'restricted',
    two,
    { 'max-allowable-numa-nodes': '4' },
    'the minimum value of "max-allowable-numa-nodes" should not be less than 8',
  ],
  ['best-effort', numa([0, 1, 2, 3, 4, 5, 6, 7, 8]), {}, 'unsupported on machines with more than 8 NUMA Nodes'],
  ['best', two, {}, 'unknown policy: "best"'],
])('rejects policy %s for %o with options %o: %s', (name, nodes, options, message) => {
  expect(() => newTopologyPolicy(name, nodes, options)).toThrow(message);
});

test('permits more than eight nodes with the option', () => {
  const nodes = numa([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(newTopologyPolicy('best-effort', nodes, { 'max-allowable-numa-nodes': '9' }).name).toBe('best-effort');
});

test('orders masks by their number of bits, then by the order of the bits', () => {
  expect([...bitMasksOf([0, 2, 3])].map(bitsOf)).toEqual([[0], [2], [3], [0, 2], [0, 3], [2, 3], [0, 2, 3]]);
  expect(() => bitMask(64)).toThrow('bit number must be in range 0-63');
});
