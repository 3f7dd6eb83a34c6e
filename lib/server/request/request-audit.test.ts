import { expect, test } from 'vitest';
import { annotate, NOT_AUDITED } from './request-audit.ts';

test('keeps the first value of an annotation', () => {
  const annotations = new Map<string, string>();
  annotate({ annotations, audit: NOT_AUDITED }, 'a', 'first');
  annotate({ annotations, audit: NOT_AUDITED }, 'a', 'second');
  expect([...annotations]).toEqual([['a', 'first']]);
});

test.each([
  [false, []],
  [true, [['patch', '[]']]],
])('keeps a message that quotes the body only with the body: %s', (showsRequests, expected) => {
  const annotations = new Map<string, string>();
  annotate({ annotations, audit: { ...NOT_AUDITED, showsRequests } }, 'patch', '[]', 'bodies');
  annotate({ annotations }, 'nobody audits', '[]', 'bodies');
  expect([...annotations]).toEqual(expected);
});
