import { expect, test } from 'vitest';
import { looksToCheck, wordText } from './words.ts';

const batch = (...bodies: string[]) => ({ Records: bodies.map((body) => ({ body })) });
const check = (look: string): string => wordText(look, 'own');
const ring = wordText(undefined, 'own');

test.each<[string, unknown, readonly string[] | undefined]>([
  ['words alone', batch(check('a'), check('b')), ['a', 'b']],
  ['a word beside a ring', batch(check('a'), ring), undefined],
  ['an event of the bus', batch(check('a'), '{"kind":"Pod","type":"ADDED"}'), undefined],
  ['text that is no JSON', batch('{'), undefined],
  ['an empty batch', batch(), undefined],
  ['a schedule', { schedule: 'sixhourly' }, undefined],
])('finds the runs to check in %s', (_, event, looks) => {
  expect(looksToCheck(event)).toEqual(looks);
});
