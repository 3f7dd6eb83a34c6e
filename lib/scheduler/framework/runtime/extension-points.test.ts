import { describe, expect, test } from 'vitest';
import type { Plugin } from '../interface.ts';
import { extensionPoints, type PluginSet, type PluginSets } from './extension-points.ts';
import { scoreWeights } from './score-weights.ts';

const NONE: PluginSet = { enabled: [], disabled: [] };
const both = (name: string): Plugin => ({ name, filter: () => undefined, score: () => 0 });
const plugins = new Map<string, Plugin>([
  ['A', both('A')],
  ['B', both('B')],
  ['C', both('C')],
  ['OnlyFilter', { name: 'OnlyFilter', filter: () => undefined }],
]);

function sets(given: Partial<PluginSets>): PluginSets {
  const points = ['preEnqueue', 'queueSort', 'preFilter', 'filter', 'postFilter', 'preScore', 'score'] as const;
  const later = ['reserve', 'permit', 'preBind', 'bind', 'postBind', 'multiPoint'] as const;
  const empty = Object.fromEntries([...points, ...later].map((point) => [point, NONE])) as Record<
    keyof PluginSets,
    PluginSet
  >;
  return { ...empty, ...given };
}

const enabled = (...names: string[]): PluginSet => ({ enabled: names.map((name) => ({ name })), disabled: [] });
const disabled = (...names: string[]): PluginSet => ({ enabled: [], disabled: names.map((name) => ({ name })) });

const namesOf = (given: Partial<PluginSets>) => {
  const { filter, score } = extensionPoints(sets(given), plugins);
  return [filter.map(({ name }) => name), score.map(({ name }) => name)];
};

test.each<[string, Partial<PluginSets>, string[], string[]]>([
  [
    'multiPoint is all points that a plugin has',
    { multiPoint: enabled('A', 'OnlyFilter') },
    ['A', 'OnlyFilter'],
    ['A'],
  ],
  [
    'what is disabled at a point is not there',
    { multiPoint: enabled('A', 'B'), score: disabled('A') },
    ['A', 'B'],
    ['B'],
  ],
  ['a star disables what multiPoint brings', { multiPoint: enabled('A', 'B'), filter: disabled('*') }, [], ['A', 'B']],
  [
    "a point's own come after those of multiPoint",
    { multiPoint: enabled('A'), filter: enabled('C') },
    ['A', 'C'],
    ['A'],
  ],
  [
    'but those that multiPoint has too come first',
    { multiPoint: enabled('A', 'B', 'C'), filter: enabled('OnlyFilter', 'C', 'B') },
    ['C', 'B', 'A', 'OnlyFilter'],
    ['A', 'B', 'C'],
  ],
])('%s', (_, given, filter, score) => expect(namesOf(given)).toEqual([filter, score]));

test.each<[string, Partial<PluginSets>, string]>([
  ['is not there', { filter: enabled('X') }, 'FilterPlugin "X" does not exist'],
  ['is not for the point', { score: enabled('OnlyFilter') }, 'plugin "OnlyFilter" does not extend ScorePlugin plugin'],
  ['is named twice', { filter: enabled('A', 'A') }, 'plugin "A" already registered as "FilterPlugin"'],
  ['is named twice for all', { multiPoint: enabled('A', 'A') }, 'plugin "A" already registered as "FilterPlugin"'],
])('a plugin that %s is refused', (_, given, message) => expect(() => namesOf(given)).toThrow(message));

describe('weights', () => {
  const weigh = (given: Partial<PluginSets>) => {
    const all = sets(given);
    return [...scoreWeights({ plugins: all }, extensionPoints(all, plugins))];
  };
  const weighted = (weight: number): PluginSet => ({ enabled: [{ name: 'A', weight }], disabled: [] });

  test('of the point go before those of all points; none is 1', () => {
    expect(weigh({ multiPoint: { ...enabled('A', 'B'), enabled: [{ name: 'A', weight: 3 }, { name: 'B' }] } })).toEqual(
      [
        ['A', 3],
        ['B', 1],
      ],
    );
    expect(weigh({ multiPoint: weighted(3), score: weighted(7) })).toEqual([['A', 7]]);
  });

  test('that would overflow are refused', () => {
    expect(() => weigh({ multiPoint: weighted(2 ** 60) })).toThrow('total score of Score plugins could overflow');
  });
});
