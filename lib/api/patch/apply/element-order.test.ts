import { array, assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortElements } from './element-order.ts';

const key = (name: string): string => `k:{"name":${JSON.stringify(name)}}`;
const value = (text: string): string => `v:${JSON.stringify(text)}`;

describe('the order of steps', () => {
  test.each<[string, string[], string[]]>([
    [
      'texts by what they say, not by their quotes',
      [key('a b'), key('a'), key('a!')],
      [key('a'), key('a b'), key('a!')],
    ],
    ['values too', [value('b'), value('a"'), value('a')], [value('a'), value('a"'), value('b')]],
    ['fields before keys', [key('a'), 'f:b', 'f:a'], ['f:a', 'f:b', key('a')]],
    ['keys by their names first', ['k:{"b":"a"}', 'k:{"a":"b"}'], ['k:{"a":"b"}', 'k:{"b":"a"}']],
    ['braces inside a text', [value('a}'), value('a')], [value('a'), value('a}')]],
  ])('sorts the steps: %s', (_, given, sorted) => {
    expect(sortElements([...given])).toEqual(sorted);
  });

  test.each([key, value])('sorts plain texts in the general order', (step) => {
    const texts = array(string({ unit: 'grapheme-ascii', maxLength: 4 }), { maxLength: 8 });
    assert(
      property(texts, (names) => {
        // The extra step of another kind sorts last and forces every step to be parsed.
        const parsed = sortElements([...names.map(step), 'i:0']);
        expect(sortElements(names.map(step))).toEqual(parsed.slice(0, -1));
      }),
    );
  });
});
