import { describe, expect, test } from 'vitest';
import { compileRegexp, outlasts } from './regexp.ts';

describe('a pattern of a user', () => {
  test.each([
    ['a name', '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$', 'a-1'],
    ['a bracket in a class', '^[]{1000}]{3}$', '{}1'],
    ['a brace that repeats nothing', '^a{b$', 'a{b'],
    ['an escaped brace', String.raw`^\{1000\}${'x'.repeat(100)}$`, `{1000}${'x'.repeat(100)}`],
    ['hundreds of alternatives', `^(${Array.from({ length: 900 }, (_, i) => `w${i}`).join('|')})$`, 'w899'],
    ['a thousand letters', '^[a-z]{1000}$', 'x'.repeat(1000)],
  ])('compiles: %s', (_, pattern, text) => {
    expect(compileRegexp(pattern).test(text)).toBe(true);
  });

  test.each([
    ['long', 'ab*'.repeat(500_000)],
    ['repeated often', '[a-z]{1000}'.repeat(1000)],
    ['a long group, repeated', `(${'a'.repeat(900)}){1000}`],
    ['repeats within repeats', '(?:a{30}){30}'.repeat(700)],
    ['Unicode classes', String.raw`\pL`.repeat(100_000)],
    ['open groups', '('.repeat(1_000_000) + 'a'.repeat(100_000)],
  ])('is refused before it is compiled: %s', (_, pattern) => {
    expect(() => compileRegexp(pattern)).toThrow('error parsing regexp: expression too large');
  });

  test('that is large is not run on a long text', () => {
    const large = compileRegexp('[a-z]{1000}'.repeat(10));
    expect([outlasts(large, 'a'.repeat(100)), outlasts(large, 'a'.repeat(10_000))]).toEqual([false, true]);
    expect(outlasts(compileRegexp('(.*a){20}'), 'a'.repeat(3_000_000))).toBe(false);
  });
});
