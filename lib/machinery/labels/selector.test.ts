import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json-value.ts';
import {
  EVERYTHING,
  isEverything,
  matches,
  NOTHING,
  parseSelector,
  selectorFromObject,
  selectorFromSet,
  selectorText,
} from './selector.ts';

const key = fc.stringMatching(/^[a-z]([-a-z0-9]{0,5}[a-z0-9])?$/);
const value = fc.stringMatching(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,5}[A-Za-z0-9])?)?$/);
const term = fc.oneof(
  key,
  key.map((k) => `!${k}`),
  fc.tuple(key, fc.constantFrom('=', '==', '!='), value).map((parts) => parts.join('')),
  fc
    .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1 }))
    .map(([k, op, vs]) => `${k} ${op} (${vs.join(',')})`),
  fc.tuple(key, fc.constantFrom('>', '<'), fc.maxSafeInteger()).map(([k, op, n]) => `${k}${op}${Math.abs(n)}`),
);

describe('a label selector', () => {
  test('parses its own text to an equal selector', () => {
    fc.assert(
      fc.property(fc.array(term), (terms) => {
        const selector = parseSelector(terms.join(','));
        expect(parseSelector(selectorText(selector))).toEqual(selector);
      }),
    );
  });

  test.each<[string, JsonObject | undefined, boolean]>([
    ['', undefined, true],
    ['x', { x: '' }, true],
    ['x', undefined, false],
    ['!x', undefined, true],
    ['!x', { x: '1' }, false],
    ['x=a', { x: 'a' }, true],
    ['x=', { x: '' }, true],
    ['x==a,y=b', { x: 'a' }, false],
    ['x!=a', {}, true],
    ['x!=a', { x: 'a' }, false],
    ['x in (a, b)', { x: 'b' }, true],
    ['x in ()', { x: '' }, true],
    ['x in (,a)', { x: '' }, true],
    ['x notin (a)', { x: 'b' }, true],
    ['x notin (a)', {}, true],
    ['x>1', { x: '2' }, true],
    ['x>1', { x: 'z' }, false],
    ['x<9223372036854775807', { x: '9223372036854775806' }, true],
    ['in in (in)', { in: 'in' }, true],
    ['constructor', {}, false],
  ])('decides whether %j matches %j: %j', (text, labels, expected) => {
    expect(matches(parseSelector(text), labels)).toBe(expected);
  });

  test.each([
    ['x==', 'x=='],
    ['b=1, a in (d,c),!z', 'a in (c,d),b=1,!z'],
    ['x in ()', 'x in ()'],
    ['x=1,', "found '', expected: identifier after ','"],
    ['=', "found '=', expected: !, identifier, or 'end of string'"],
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['x y', "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['x in', "unable to parse requirement: found '' expected: '('"],
    ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['x in (a,', "unable to parse requirement: found '', expected: ',', or identifier"],
    ['x in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['x=(', "unable to parse requirement: found '(', expected: identifier"],
    ['!x=1', "found '=', expected: ',' or 'end of string'"],
    ['x=a b', "found 'b', expected: ',' or 'end of string'"],
    [
      'x>a',
      "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    ['/x', 'unable to parse requirement: <nil>: Invalid value: "/x": prefix part must be non-empty'],
    [
      'x=a/b',
      "unable to parse requirement: values[0][x]: Invalid value: \"a/b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  ])('parses or rejects the text %j', (text, expected) => {
    let actual: string;
    try {
      actual = selectorText(parseSelector(text));
    } catch (error) {
      actual = (error as Error).message;
    }
    expect(actual).toBe(expected);
  });

  test('is created from a LabelSelector object', () => {
    const selector = selectorFromObject({
      matchLabels: { b: '1' },
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['y', 'x'] },
        { key: 'c', operator: 'DoesNotExist' },
      ],
    });
    expect(selectorText(selector)).toBe('a in (x,y),b=1,!c');
    expect(() => selectorFromObject({ matchExpressions: [{ key: 'a', operator: 'Eq' }] })).toThrow(
      '"Eq" is not a valid label selector operator',
    );
  });

  test('matches nothing if absent and everything if empty', () => {
    expect(selectorFromObject(undefined)).toBe(NOTHING);
    expect(matches(NOTHING, {})).toBe(false);
    expect(isEverything(NOTHING)).toBe(false);
    expect(selectorFromObject({})).toEqual(EVERYTHING);
    expect(isEverything(selectorFromSet({}))).toBe(true);
    expect(matches(selectorFromSet({ a: 'b' }), { a: 'b', c: 'd' })).toBe(true);
  });
});

test.each([
  ['too many terms', 'a,'.repeat(15_000)],
  ['too many values', `a in (${'b,'.repeat(15_000)}b)`],
  ['a text that is too long', `a=${'b'.repeat(300_000)}`],
])('is rejected if it has %s', (_, text) => {
  expect(() => parseSelector(text)).toThrow('unable to parse requirement: too many terms');
});
