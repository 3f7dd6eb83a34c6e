import { expect, test } from 'vitest';
import { EMPTY, type Table } from './table.ts';
import { change, removal, replacement } from './transaction.ts';

const NAME = { family: 'ip', name: 't' } as const;
const table = (more: Partial<Table>): Table => ({ ...EMPTY, ...more });
const chains = (rules: Readonly<Record<string, readonly string[]>>): Table =>
  table({ chains: new Map(Object.entries(rules).map(([name, all]) => [name, { rules: all }])) });
const map = (elements: Readonly<Record<string, string>>, type = 'ipv4_addr : verdict'): Table =>
  table({ maps: new Map([['m', { type, elements: new Map(Object.entries(elements)) }]]) });
const set = (elements: readonly string[] | undefined): Table =>
  table({ sets: new Map([['s', { type: 'ipv4_addr', ...(elements && { elements: new Set(elements) }) }]]) });
const lines = (before: Table, after: Table): string[] =>
  (change(NAME, before, after)?.commands ?? 'replace').split('\n').filter((line) => line !== '');

test.each<[string, Table, Table, string[]]>([
  ['nothing', chains({ a: ['accept'] }), chains({ a: ['accept'] }), []],
  ['a new chain', EMPTY, chains({ a: ['accept'] }), ['add chain ip t a', 'add rule ip t a accept']],
  [
    'a changed chain',
    chains({ a: ['accept'] }),
    chains({ a: ['drop'] }),
    ['flush chain ip t a', 'add rule ip t a drop'],
  ],
  ['a chain that goes', chains({ a: ['accept'] }), EMPTY, ['flush chain ip t a']],
  [
    'a new element',
    map({ '1.1.1.1': 'drop' }),
    map({ '1.1.1.1': 'drop', '2.2.2.2': 'accept' }),
    ['add element ip t m { 2.2.2.2 : accept }'],
  ],
  ['an element that goes', map({ '1.1.1.1': 'drop' }), map({}), ['delete element ip t m { 1.1.1.1 }']],
  [
    'an element of another value',
    map({ '1.1.1.1': 'drop' }),
    map({ '1.1.1.1': 'accept' }),
    ['delete element ip t m { 1.1.1.1 }', 'add element ip t m { 1.1.1.1 : accept }'],
  ],
  [
    'keys of a set',
    set(['1.1.1.1']),
    set(['2.2.2.2']),
    ['delete element ip t s { 1.1.1.1 }', 'add element ip t s { 2.2.2.2 }'],
  ],
  ['a set that rules fill', EMPTY, set(undefined), ['add set ip t s { type ipv4_addr ; }']],
  ['a set that goes', set(['1.1.1.1']), EMPTY, ['delete set ip t s']],
  ['a map that goes', map({ '1.1.1.1': 'drop' }), EMPTY, ['delete map ip t m']],
  ['another type of a map', map({}), map({}, 'ipv6_addr : verdict'), ['replace']],
])('writes commands as long as the difference: %s', (_, before, after, expected) => {
  expect(lines(before, after)).toEqual(expected);
});

test('adds rules and elements after the chains they refer to, and empties chains before it deletes the sets of their rules', () => {
  const after = table({
    ...chains({ a: ['jump b'], b: ['ip saddr @s accept'] }),
    maps: map({ '1.1.1.1': 'goto b' }).maps,
    sets: set([]).sets,
  });
  const verbs = (commands: readonly string[]): string[] =>
    commands.map((line) => line.split(' ').slice(0, 2).join(' '));
  expect(verbs(lines(EMPTY, after))).toEqual([
    'add set',
    'add chain',
    'add chain',
    'add map',
    'add rule',
    'add rule',
    'add element',
  ]);
  expect(verbs(lines(after, EMPTY))).toEqual(['flush chain', 'flush chain', 'delete map', 'delete set']);
  expect(change(NAME, after, EMPTY)?.stale).toEqual(['a', 'b']);
});

test("removes the kernel's previous content in a replacement", () => {
  const text = replacement(NAME, chains({ a: ['accept'] }));
  expect(text.split('\n').slice(0, 4)).toEqual([
    'add table ip t',
    'delete table ip t',
    'add table ip t',
    'add chain ip t a',
  ]);
});

test('removes chains without references', () => {
  expect(removal(NAME, ['a', 'b'])).toBe('delete chain ip t a\ndelete chain ip t b\n');
});

test('splits many elements into commands of a few hundred each', () => {
  const many = map(Object.fromEntries(Array.from({ length: 450 }, (_, i) => [`10.0.${i >> 8}.${i & 255}`, 'drop'])));
  const added = lines(map({}), many);
  expect(added.length).toBe(3);
});
