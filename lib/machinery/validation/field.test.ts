import { expect, test } from 'vitest';
import { errorText, FieldPath, invalid, notSupported } from './field.ts';

test.each<[string, unknown, string]>([
  ['a text', 'a"b', '"a\\"b"'],
  ['an integer', 1_000_000, '1000000'],
  ['an integer beyond a double', 9_007_199_254_740_993n, '9007199254740993'],
  ['an integer beyond an int64', 1.2345678901234567e19, '1.2345678901234567e+19'],
  ['a fraction', -1.5, '-1.5'],
  ['a small fraction', 1e-7, '1e-07'],
  ['a bool', true, 'true'],
  ['null', null, 'null'],
  ['an object', { b: [1e20], a: '<' }, '{"a":"\\u003c","b":[100000000000000000000]}'],
])('formats %s like Go', (_, value, shown) => {
  const field = FieldPath.of('spec', 'items').index(0);
  expect(errorText(invalid(field, value, 'is wrong'))).toBe(`spec.items[0]: Invalid value: ${shown}: is wrong`);
});

test('lists the supported values for an unsupported one', () => {
  expect(errorText(notSupported('type', '<x>', ['A', 'B']))).toBe(
    'type: Unsupported value: "\\u003cx\\u003e": supported values: "A", "B"',
  );
});
