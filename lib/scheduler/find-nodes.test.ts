import { describe, expect, test } from 'vitest';
import { Diagnosing } from './diagnosis.ts';
import {
  findNodesThatPassExtenders,
  findNodesThatPassFilters,
  numFeasibleNodesToFind,
  type Search,
} from './find-nodes.ts';
import { CycleState } from './framework/cycle-state.ts';
import type { Extender, ExtenderFiltered } from './framework/extender.ts';
import type { Handle } from './framework/interface.ts';
import type { NodeInfo } from './framework/node-info.ts';
import { newStatus } from './framework/status.ts';
import { prioritizeNodes, selectHost } from './prioritize-nodes.ts';
import { aFramework, aHandle, aNodeInfo, aPodInfo, inOneStep } from './testing/wrappers.ts';

test.each([
  ['all nodes of a small cluster', 0, 99, 99],
  ['a share that shrinks with the cluster size', 0, 1000, 420],
  ['at least a hundred nodes', 0, 150, 100],
  ['at least five percent', 0, 6000, 300],
  ['the configured percentage', 40, 1000, 400],
  ['at least a hundred nodes despite the configured percentage', 5, 500, 100],
  ['all nodes if configured', 100, 5000, 5000],
])('stops the search at enough feasible nodes: %s', (_, percentage, all, expected) =>
  expect(numFeasibleNodesToFind(percentage, all)).toBe(expected),
);

const nodes = ['a', 'b', 'c', 'd'].map((name) => aNodeInfo({ name }));
const namesOf = (found: readonly NodeInfo[]): string => found.map(({ name }) => name).join('');

function aSearch(start: number, refused: string, more: Partial<Handle> = {}): Search {
  const handle = aHandle({
    run: {
      *runFilterPluginsWithNominatedPods(_state, _pod, { name }) {
        yield;
        return refused.includes(name) ? { ...newStatus('Unschedulable', 'no'), plugin: 'Fit' } : undefined;
      },
    },
  });
  const framework = aFramework({ handle: { ...handle, ...more } });
  const diagnosis = new Diagnosing(nodes);
  return { framework, state: new CycleState(), pod: aPodInfo(), diagnosis, percentageOfNodesToScore: 0, start };
}

describe('the search for nodes', () => {
  test('starts at the node after the last one of the previous attempt', async () => {
    const scoring = aSearch(2, 'd', { extenders: [anExtender({})] });
    expect(namesOf(await findNodesThatPassFilters(scoring, nodes))).toBe('cab');
    expect([...scoring.diagnosis.filtered.keys(), ...scoring.diagnosis.unschedulablePlugins]).toEqual(['d', 'Fit']);
  });

  test('returns a single node if there are no scorers', async () => {
    const search = aSearch(0, 'a');
    expect(namesOf(await findNodesThatPassFilters(search, nodes))).toBe('b');
  });

  test('fails the attempt if a plugin fails on a node', async () => {
    const boom = newStatus('Error', 'boom');
    const search = aSearch(0, '', { runFilterPluginsWithNominatedPods: () => inOneStep(() => boom) });
    await expect(findNodesThatPassFilters(search, nodes)).rejects.toThrow('boom');
  });

  test('yields to other work if the filters take long', async () => {
    let now = 0;
    let sleeps = 0;
    const clock = { now: () => now, monotonic: () => now, sleep: async () => void sleeps++ };
    const search = aSearch(0, '', {
      clock,
      *runFilterPluginsWithNominatedPods() {
        for (let i = 0; i < 1000; i++) {
          now++;
          yield;
        }
        return newStatus('Unschedulable', 'no');
      },
    });
    expect(await findNodesThatPassFilters(search, nodes)).toEqual([]);
    expect(sleeps).toBeGreaterThanOrEqual((nodes.length * 1000) / 10);
  });
});

interface ExtenderOf {
  readonly filter?: (nodes: readonly NodeInfo[]) => Partial<ExtenderFiltered>;
  readonly scores?: Readonly<Record<string, number>>;
  readonly weight?: number;
  readonly ignorable?: boolean;
  readonly isInterested?: boolean;
}

const anExtender = ({ filter, scores, weight = 1, ignorable = false, isInterested = true }: ExtenderOf): Extender => ({
  name: 'http://extender',
  does: { filter: true, prioritize: true, preempt: false, bind: false },
  ignorable,
  weight,
  isInterested: () => isInterested,
  filter: async (_pod, given) => ({
    nodes: given,
    failed: new Map(),
    failedAndUnresolvable: new Map(),
    ...filter?.(given),
  }),
  async prioritize() {
    if (scores === undefined) throw new Error('no answer');
    return new Map(Object.entries(scores));
  },
  processPreemption: async () => new Map(),
  async bind() {},
});

const broken = (): never => {
  throw new Error('no answer');
};

describe('extenders of a search', () => {
  const pass = async (...extenders: Extender[]) => {
    const search = aSearch(0, '');
    const left = await findNodesThatPassExtenders(extenders, search, nodes);
    return [namesOf(left), Object.fromEntries([...search.diagnosis.filtered].map(([name, { code }]) => [name, code]))];
  };

  test('filter nodes one after another', async () => {
    const first = anExtender({ filter: (given) => ({ nodes: given.slice(1), failed: new Map([['a', 'no']]) }) });
    const second = anExtender({
      filter: (given) => ({ nodes: given.slice(1), failedAndUnresolvable: new Map([['b', 'never']]) }),
    });
    expect(await pass(first, second)).toEqual(['cd', { a: 'Unschedulable', b: 'UnschedulableAndUnresolvable' }]);
  });

  test('are skipped for resources that they do not manage, and ignored on failure if ignorable', async () => {
    const silent = anExtender({ filter: broken, isInterested: false });
    expect(await pass(silent, anExtender({ filter: broken, ignorable: true }))).toEqual(['abcd', {}]);
  });

  test('fail the attempt if they fail and are not ignorable', async () => {
    await expect(pass(anExtender({ filter: broken }))).rejects.toThrow('no answer');
  });

  test('add their weighted scores, and nothing if they fail', async () => {
    const extenders = [anExtender({ scores: { a: 5 }, weight: 2 }), anExtender({})];
    const { framework, state, pod } = aSearch(0, '', { extenders });
    const scores = await prioritizeNodes({ framework, state, pod }, nodes.slice(0, 2));
    expect(scores).toEqual([
      { name: 'a', score: 100 },
      { name: 'b', score: 0 },
    ]);
  });
});

test.each([
  [0, 'b'],
  [0.49, 'b'],
  [0.5, 'c'],
  [0.99, 'c'],
])('chooses one of the best nodes at random: %d', (random, expected) => {
  const scores = [
    { name: 'a', score: 1 },
    { name: 'b', score: 7 },
    { name: 'c', score: 7 },
  ];
  expect(selectHost(scores, () => random)).toBe(expected);
});
