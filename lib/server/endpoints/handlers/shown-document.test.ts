import { expect, test } from 'vitest';
import { shownDocument, touchedBy } from './shown-document.ts';

test('sorts the fields of elements that a JSON patch changed', () => {
  const document = {
    items: [
      { b: 1, a: 2 },
      { b: { d: 1, c: 2 }, a: 3 },
    ],
  };
  const touched = touchedBy([{ op: 'replace', path: '/items/1/a', value: 3 }]);
  expect(shownDocument(document, touched, false)).toBe('{"items":[{"b":1,"a":2},{"a":3,"b":{"d":1,"c":2}}]}');
});
