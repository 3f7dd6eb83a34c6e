import { expect, test } from 'vitest';
import { pickOneNode } from './pick-one-node.ts';
import { pod } from './testing.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');

/** Parses `5#1 1#2 !1`: victims as priority and start time, and the number of violated budgets. */
function victims(text: string) {
  const parts = text.split(' ');
  const violations = parts.find((part) => part.startsWith('!'))?.slice(1) ?? '0';
  const pods = parts.filter((part) => !part.startsWith('!')).map((part, i) => pod(`p${i} ${part.replace('#', ' #')}`));
  return { pods, pdbViolations: Number(violations) };
}

test.each<[string, Record<string, string>, string | undefined]>([
  ['nothing without candidates', {}, undefined],
  ['the only candidate', { a: '5' }, 'a'],
  ['the fewest budget violations', { a: '1 !1', b: '5 5 5' }, 'b'],
  ['the least important of the most important victims', { a: '5 5', b: '5 1', c: '1 1' }, 'c'],
  ['the lowest sum of priorities', { a: '5 5', b: '5 1', c: '5 5' }, 'b'],
  ['fewer pods even with negative priorities', { a: '5 5 -1 -1', b: '5 -1', c: '5 1 -1' }, 'b'],
  ['a sum that counts each pod', { a: '5 -1 -1', b: '5 -1', c: '5 1 -1' }, 'b'],
  ['the first criterion that differs', { a: '5 1 1', b: '7', c: '5 1 1 1', d: '5 5 5 -1' }, 'a'],
  ['the latest start of victims', { a: '5#2 5#2', b: '5#3 5#3', c: '5#1 5#1' }, 'b'],
  ['the latest start of the oldest victim', { a: '5#4 5#2', b: '5#5 5#1', c: '5#3 5#6' }, 'c'],
  ['the start of only the most important victims', { a: '5#2 1#4', b: '5#6 1#1', c: '5#5 1#3' }, 'b'],
  ['victims that have not started', { a: '5#9', b: '5' }, 'b'],
  ['position among equals', { b: '5#1', a: '5#1' }, 'b'],
])('picks the node by %s', (_, nodes, expected) => {
  const candidates = new Map(Object.entries(nodes).map(([name, text]) => [name, victims(text)]));
  expect(pickOneNode(candidates, NOW)).toBe(expected);
});
