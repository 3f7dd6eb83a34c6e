import { expect, test } from 'vitest';
import { readableOf, seldom } from './damage.ts';
import { StoreError } from './errors.ts';
import { ManualClock } from './memory/manual-clock.ts';

const damage = (text: string): StoreError => new StoreError('Corrupt', text);

test('reports the same damage once a minute, and different damage immediately', () => {
  const told: string[] = [];
  const clock = new ManualClock();
  const tell = seldom(({ message }) => told.push(message), clock);
  for (const text of ['a', 'a', 'b', 'a']) tell(damage(text));
  clock.advance(59_999);
  tell(damage('a'));
  clock.advance(1);
  for (const text of ['a', 'b', 'b']) tell(damage(text));
  expect(told).toEqual(['a', 'b', 'a', 'b']);
});

test('throws for a damaged object, or leaves it out and reports it', () => {
  const read = [{ name: 'a' }, { name: 'b', damage: damage('b') }, { name: 'c' }];
  expect(() => readableOf(read)).toThrow('b');
  const told: string[] = [];
  const left = readableOf(read, ({ message }) => told.push(message));
  expect([left.map(({ name }) => name), told]).toEqual([['a', 'c'], ['b']]);
});
