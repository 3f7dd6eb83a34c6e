import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldSelectorText, matchesFields, parseFieldSelector, requiresExactMatch } from './selector.ts';

describe('a field selector', () => {
  test('parses its own text to an equal selector', () => {
    const requirement = fc.record({
      field: fc.stringMatching(/^[a-z.]{1,5}$/),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed()),
    });
    fc.assert(
      fc.property(requirement, (item) => {
        expect(parseFieldSelector(fieldSelectorText([item]))).toEqual([item]);
      }),
    );
  });

  test.each(['=', '!=', ',==,'])('has no requirements for the text %s', (text) => {
    expect(parseFieldSelector(text)).toEqual([]);
  });

  test.each([
    ['', {}, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'b' }, true],
    ['a!=b', {}, true],
    ['a=', {}, true],
    ['a=b,c=d', { a: 'b' }, false],
    ['a=x\\,y\\=z\\\\', { a: 'x,y=z\\' }, true],
    ['constructor=', {}, true],
  ])('decides whether %j matches %j: %j', (text, fields, expected) => {
    expect(matchesFields(parseFieldSelector(text), fields)).toBe(expected);
  });

  test.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('rejects the text %j', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(message);
  });

  test('finds the value of an exact match', () => {
    const selector = parseFieldSelector('b!=1,metadata.name=x');
    expect(requiresExactMatch(selector, 'metadata.name')).toBe('x');
    expect(requiresExactMatch(selector, 'b')).toBeUndefined();
  });

  test.each([['a=1,'.repeat(10_000)], [`a=${'x'.repeat(256 * 1024)}`]])(
    'is rejected if it is too long or has too many terms',
    (text) => {
      expect(() => parseFieldSelector(text)).toThrow('invalid selector: too many terms');
    },
  );
});
