import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from './json-indent.ts';

test('indents like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test.each([
  ['9223372036854775807', '9223372036854775807'],
  ['{"a":[{},[],"{,}"]}', '{\n  "a": [\n    {},\n    [],\n    "{,}"\n  ]\n}'],
  ['"\\u003ca\\"b\\\\"', '"\\u003ca\\"b\\\\"'],
])('indents the JSON text %s', (text, indented) => {
  expect(indentJson(text)).toBe(indented);
});
