import { expect, test } from 'vitest';
import { HotLoops } from './hot-loops.ts';

/** The positions of the calls that are reported. */
const reported = (calls: readonly { version?: string; at: number }[]): number[] => {
  const loops = new HotLoops();
  return calls.flatMap(({ version = '1', at }, i) => (loops.isHot('ns/a', version, at) ? [i + 1] : []));
};

test.each<[string, { version?: string; at: number }[], number[]]>([
  ['reports the eleventh call in a second', Array.from({ length: 11 }, (_, i) => ({ at: i * 90 })), [11]],
  ['reports a loop once a minute', Array.from({ length: 5_000 }, (_, i) => ({ at: i * 20 })), [11, 3_021]],
  ['accepts ten calls a second', Array.from({ length: 100 }, (_, i) => ({ at: i * 100 })), []],
  ['accepts any number of versions', Array.from({ length: 100 }, (_, i) => ({ version: `${i}`, at: i })), []],
])('a HotLoops counter %s', (_, calls, expected) => {
  expect(reported(calls)).toEqual(expected);
});

test('counts the calls of each object separately', () => {
  const loops = new HotLoops();
  const hot = Array.from({ length: 20 }, (_, i) => loops.isHot(`ns/${i % 2}`, '1', i));
  expect(hot).not.toContain(true);
});
