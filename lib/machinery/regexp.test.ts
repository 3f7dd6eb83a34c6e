import { describe, expect, test } from 'vitest';
import { compileRegexp, outlasts } from './regexp.ts';

describe('the pattern of a user', () => {
  test.each([
    ['a DNS name', '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$', 'a-1'],
    ['a bracket in a class', '^[]{1000}]{3}$', '{}1'],
    ['a brace without repetition', '^a{b$', 'a{b'],
    ['an escaped brace', String.raw`^\{1000\}${'x'.repeat(100)}$`, `{1000}${'x'.repeat(100)}`],
    ['hundreds of alternatives', `^(${Array.from({ length: 900 }, (_, i) => `w${i}`).join('|')})$`, 'w899'],
    ['a thousand letters', '^[a-z]{1000}$', 'x'.repeat(1000)],
  ])('compiles if it has %s', (_, pattern, text) => {
    expect(compileRegexp(pattern).test(text)).toBe(true);
  });

  test.each([
    ['a long pattern', 'ab*'.repeat(500_000)],
    ['many repetitions', '[a-z]{1000}'.repeat(1000)],
    ['a long group, repeated', `(${'a'.repeat(900)}){1000}`],
    ['nested repetitions', '(?:a{30}){30}'.repeat(700)],
    ['Unicode classes', String.raw`\pL`.repeat(100_000)],
    ['many open groups', '('.repeat(1_000_000) + 'a'.repeat(100_000)],
  ])('is rejected before compilation if it has %s', (_, pattern) => {
    expect(() => compileRegexp(pattern)).toThrow('error parsing regexp: expression too large');
  });

  test('is not run on a long text if it is large', () => {
    const large = compileRegexp('[a-z]{1000}'.repeat(10));
    expect([outlasts(large, 'a'.repeat(100)), outlasts(large, 'a'.repeat(10_000))]).toEqual([false, true]);
    expect(outlasts(compileRegexp('(.*a){20}'), 'a'.repeat(3_000_000))).toBe(false);
  });
});
