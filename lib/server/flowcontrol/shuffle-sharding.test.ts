import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { deal, hashFlow } from './shuffle-sharding.ts';

test.each([
  [0n, 8, 3, [0, 1, 2]],
  [7n, 8, 2, [7, 0]],
  [8n * 7n * 5n + 8n * 3n + 2n, 8, 3, [2, 4, 7]],
  [2n ** 64n - 1n, 1, 1, [0]],
])('hash %s of a deck of %i deals %i cards', (hash, deck, size, hand) => {
  expect(deal(hash, deck, size)).toEqual(hand);
});

test('deals distinct cards of the deck', () => {
  const hands = fc
    .integer({ min: 1, max: 512 })
    .chain((deck) =>
      fc.tuple(
        fc.constant(deck),
        fc.integer({ min: 1, max: Math.min(deck, 10) }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      ),
    );
  fc.assert(
    fc.property(hands, ([deck, size, hash]) => {
      const hand = deal(hash, deck, size);
      expect(new Set(hand).size).toBe(size);
      expect(hand.every((card) => card >= 0 && card < deck)).toBe(true);
    }),
  );
});

test('deals every pair of cards about equally often', () => {
  const seen = new Map<string, number>();
  for (let flow = 0; flow < 5600; flow++) {
    const pair = String(deal(hashFlow('schema', `user-${flow}`), 8, 2));
    seen.set(pair, (seen.get(pair) ?? 0) + 1);
  }
  expect(seen.size).toBe(56);
  expect(Math.min(...seen.values())).toBeGreaterThan(60);
  expect(Math.max(...seen.values())).toBeLessThan(145);
});

test('hashes schema and flow as separate names', () => {
  expect(hashFlow('ab', 'c')).not.toBe(hashFlow('a', 'bc'));
});
