import { expect, test } from 'vitest';
import type { DeadLetter, DeadLetters } from './dead-letters.ts';

const aLetter = (over: Partial<DeadLetter> = {}): DeadLetter => ({
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
  const all = async (letters: DeadLetters) => Array.fromAsync(letters.all());

  test('keeps a dead letter unchanged until it is removed', async () => {
    const letters = await open();
    const { entry: _, ...withoutEntry } = aLetter({ version: 3 });
    await letters.put(aLetter());
    await letters.put(withoutEntry);
    expect(await all(letters)).toEqual([aLetter(), withoutEntry]);
    await letters.remove(aLetter());
    await letters.remove(aLetter());
    expect(await all(letters)).toEqual([withoutEntry]);
  });

  test('keeps a repeated dead letter once, with its last refusal', async () => {
    const letters = await open();
    await letters.put(aLetter());
    await letters.put(aLetter({ reason: 'refused again', at: 1_700_000_000_001 }));
    expect(await all(letters)).toEqual([aLetter({ reason: 'refused again', at: 1_700_000_000_001 })]);
  });

  test('keeps several entries of one version apart, ordered by version in each consumer and sequence', async () => {
    const letters = await open();
    const ordered = [
      aLetter({ version: 9 }),
      aLetter({ version: 2 ** 41 }),
      aLetter({ consumer: 'requests', version: 1, entry: 'b' }),
      aLetter({ consumer: 'requests', version: 1, entry: 'c' }),
    ];
    for (const letter of ordered.toReversed()) await letters.put(letter);
    const found = await all(letters);
    expect(found.slice(0, 2)).toEqual(ordered.slice(0, 2));
    expect(new Set(found.slice(2).map(({ entry }) => entry))).toEqual(new Set(['b', 'c']));
  });
}
