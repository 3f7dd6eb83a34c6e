import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeProperty, unescapeProperty } from './escaping.ts';

const cases: readonly (readonly [string, string | undefined])[] = [
  ['plain', 'plain'],
  ['', undefined],
  ['1a', undefined],
  ['a b', undefined],
  ['ü', undefined],
  ['$ref', undefined],
  ['if', '__if__'],
  ['namespace', '__namespace__'],
  ['a.b', 'a__dot__b'],
  ['a-b/c', 'a__dash__b__slash__c'],
  ['a__b', 'a__underscores__b'],
  ['_a_', '_a_'],
  ['self', 'self'],
];

describe('properties in expressions', () => {
  test.each(cases)('escapes %j as %j', (name, identifier) => {
    expect(escapeProperty(name)).toBe(identifier);
    if (identifier !== undefined) expect(unescapeProperty(identifier)).toBe(name);
  });

  test.each(['a__nope__b', 'a__if__'])('rejects the identifier %j', (identifier) => {
    expect(unescapeProperty(identifier)).toBeUndefined();
  });

  test('unescapes what it escapes', () => {
    const names = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9./-]{0,12}$/);
    fc.assert(fc.property(names, (name) => unescapeProperty(escapeProperty(name) ?? '?') === name));
  });
});
