import { array, assert, boolean, constantFrom, nat, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { Heap } from './heap.ts';

const heapOf = (): Heap<{ key: string; rank: number }> =>
  new Heap(
    ({ key }) => key,
    (a, b) => a.rank < b.rank,
  );

test('returns items in order after any additions, replacements and removals', () => {
  const step = record({ key: constantFrom('a', 'b', 'c', 'd', 'e', 'f'), rank: nat(20), gone: boolean() });
  assert(
    property(array(step), (steps) => {
      const heap = heapOf();
      const model = new Map<string, number>();
      for (const { key, rank, gone } of steps) {
        if (gone) expect(heap.delete(key)).toBe(model.delete(key));
        else {
          heap.add({ key, rank });
          model.set(key, rank);
        }
      }
      const ranks: number[] = [];
      for (let next = heap.pop(); next !== undefined; next = heap.pop()) ranks.push(next.rank);
      expect(ranks).toEqual([...model.values()].sort((a, b) => a - b));
    }),
  );
});

test('finds an item by its key', () => {
  const heap = heapOf();
  heap.add({ key: 'a', rank: 2 });
  heap.add({ key: 'b', rank: 1 });
  expect([heap.get('a')?.rank, heap.has('c'), heap.peek()?.key, heap.size]).toEqual([2, false, 'b', 2]);
  expect([...heap.values()]).toHaveLength(2);
});
