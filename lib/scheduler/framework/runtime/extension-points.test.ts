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
  ['multiPoint enables all points of a plugin', { multiPoint: enabled('A', 'OnlyFilter') }, ['A', 'OnlyFilter'], ['A']],
  [
    'a plugin disabled at a point is omitted',
    { multiPoint: enabled('A', 'B'), score: disabled('A') },
    ['A', 'B'],
    ['B'],
  ],
  [
    'a star disables the plugins of multiPoint',
    { multiPoint: enabled('A', 'B'), filter: disabled('*') },
    [],
    ['A', 'B'],
  ],
  [
    "a point's own plugins come after those of multiPoint",
    { multiPoint: enabled('A'), filter: enabled('C') },
    ['A', 'C'],
    ['A'],
  ],
  [
    'plugins in both come first',
    { multiPoint: enabled('A', 'B', 'C'), filter: enabled('OnlyFilter', 'C', 'B') },
    ['C', 'B', 'A', 'OnlyFilter'],
    ['A', 'B', 'C'],
  ],
])('resolves the plugins of a profile: %s', (_, given, filter, score) =>
  expect(namesOf(given)).toEqual([filter, score]),
);

test.each<[string, Partial<PluginSets>, string]>([
  ['does not exist', { filter: enabled('X') }, 'FilterPlugin "X" does not exist'],
  [
    'does not implement the point',
    { score: enabled('OnlyFilter') },
    'plugin "OnlyFilter" does not extend ScorePlugin plugin',
  ],
  ['is enabled twice', { filter: enabled('A', 'A') }, 'plugin "A" already registered as "FilterPlugin"'],
  [
    'is enabled twice in multiPoint',
    { multiPoint: enabled('A', 'A') },
    'plugin "A" already registered as "FilterPlugin"',
  ],
])('rejects a plugin that %s', (_, given, message) => expect(() => namesOf(given)).toThrow(message));

describe('plugin weights of a profile', () => {
  const weigh = (given: Partial<PluginSets>) => {
    const all = sets(given);
    return [...scoreWeights({ plugins: all }, extensionPoints(all, plugins))];
  };
  const weighted = (weight: number): PluginSet => ({ enabled: [{ name: 'A', weight }], disabled: [] });

  test('prefer those under Score over MultiPoint, and default to 1', () => {
    expect(weigh({ multiPoint: { ...enabled('A', 'B'), enabled: [{ name: 'A', weight: 3 }, { name: 'B' }] } })).toEqual(
      [
        ['A', 3],
        ['B', 1],
      ],
    );
    expect(weigh({ multiPoint: weighted(3), score: weighted(7) })).toEqual([['A', 7]]);
  });

  test('are rejected if their sum would overflow', () => {
    expect(() => weigh({ multiPoint: weighted(2 ** 60) })).toThrow('total score of Score plugins could overflow');
  });
});
