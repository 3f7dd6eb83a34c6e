import { expect, test } from 'vitest';
import type { DeadLetter, DeadLetters } from './dead-letters.ts';

const aDeadLetter = (over: Partial<DeadLetter> = {}): DeadLetter => ({
  consumer: 'events',
  sequence: 'main//pods',
  version: 2,
  key: 'main//pods/default/web',
  reason: 'refused',
  at: 1_700_000_000_000,
  entry: '{"name":"web"}',
  ...over,
});

/** Tests the contract of DeadLetters on an implementation. Each call of `open` returns an empty store of dead letters. */
export function deadLettersConformance(open: () => Promise<DeadLetters>): void {
  const all = async (deadLetters: DeadLetters) => Array.fromAsync(deadLetters.all());

  test('keeps a dead letter unchanged until it is removed', async () => {
    const deadLetters = await open();
    const { entry: _, ...withoutEntry } = aDeadLetter({ version: 3 });
    await deadLetters.put(aDeadLetter());
    await deadLetters.put(withoutEntry);
    expect(await all(deadLetters)).toEqual([aDeadLetter(), withoutEntry]);
    await deadLetters.remove(aDeadLetter());
    await deadLetters.remove(aDeadLetter());
    expect(await all(deadLetters)).toEqual([withoutEntry]);
  });

  test('keeps a repeated dead letter once, with its last refusal', async () => {
    const deadLetters = await open();
    await deadLetters.put(aDeadLetter());
    await deadLetters.put(aDeadLetter({ reason: 'refused again', at: 1_700_000_000_001 }));
    expect(await all(deadLetters)).toEqual([aDeadLetter({ reason: 'refused again', at: 1_700_000_000_001 })]);
  });

  test('keeps several entries of one version apart, ordered by version in each consumer and sequence', async () => {
    const deadLetters = await open();
    const ordered = [
      aDeadLetter({ version: 9 }),
      aDeadLetter({ version: 2 ** 41 }),
      aDeadLetter({ consumer: 'requests', version: 1, entry: 'b' }),
      aDeadLetter({ consumer: 'requests', version: 1, entry: 'c' }),
    ];
    for (const deadLetter of ordered.toReversed()) await deadLetters.put(deadLetter);
    const found = await all(deadLetters);
    expect(found.slice(0, 2)).toEqual(ordered.slice(0, 2));
    expect(new Set(found.slice(2).map(({ entry }) => entry))).toEqual(new Set(['b', 'c']));
  });
}
