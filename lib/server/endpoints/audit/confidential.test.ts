import { describe, expect, test } from 'vitest';
import {
  carriesToken,
  quotesSecret,
  redactStatus,
  withoutAccessToken,
  withoutManagedFields,
  withoutToken,
} from './confidential.ts';

const TOKEN_REVIEWS = { group: 'authentication.k8s.io', resource: 'tokenreviews', subresource: '' };
const TOKEN_REQUESTS = { group: '', resource: 'serviceaccounts', subresource: 'token' };
const SECRETS = { group: '', resource: 'secrets', subresource: '' };
const MAPS = { group: '', resource: 'configmaps', subresource: '' };

describe('tokens in bodies', () => {
  test.each([
    [
      'a TokenReview',
      TOKEN_REVIEWS,
      { spec: { token: 't', audiences: ['a'] } },
      { spec: { token: 'REDACTED', audiences: ['a'] } },
    ],
    ['a TokenRequest', TOKEN_REQUESTS, { status: { token: 't' } }, { status: { token: 'REDACTED' } }],
    ['a TokenRequest without one', TOKEN_REQUESTS, { spec: { token: 't' } }, { spec: { token: 't' } }],
    ['anything else', MAPS, { spec: { token: 't' } }, { spec: { token: 't' } }],
  ])('redacts the token in %s', (_, info, object, expected) => {
    const before = structuredClone(object);
    expect(withoutToken(info, object)).toEqual(expected);
    expect(object).toEqual(before);
  });

  test.each([
    [TOKEN_REVIEWS, true],
    [TOKEN_REQUESTS, true],
    [{ ...TOKEN_REQUESTS, subresource: '' }, false],
    [{ ...TOKEN_REVIEWS, group: 'acme.org' }, false],
  ])('detects a token in %o: %s', (info, carries) => {
    expect(carriesToken(info)).toBe(carries);
  });
});

test.each([
  ['/api?watch=1', '/api?watch=1'],
  ['/api?access_token=a.b-c', '/api?access_token=REDACTED'],
  ['/api?a=b&access_token=x%20y&c=d', '/api?a=b&access_token=REDACTED&c=d'],
])('redacts the URI %s', (uri, expected) => {
  expect(withoutAccessToken(uri)).toBe(expected);
});

test.each([
  ['a secret whose body is not written', SECRETS, 'Metadata', 400, true],
  ['a secret whose patched form is shown', SECRETS, 'Metadata', 422, true],
  ['a secret whose body is written', SECRETS, 'Request', 400, false],
  ['a missing secret', SECRETS, 'Metadata', 404, false],
  ['a token review, always', TOKEN_REVIEWS, 'RequestResponse', 400, true],
  ['anything else', MAPS, 'Metadata', 400, false],
] as const)('detects an error that quotes %s', (_, info, level, code, quotes) => {
  expect(quotesSecret(info, level, code)).toBe(quotes);
});

test('withholds the message and causes of a Status, and keeps the rest', () => {
  const details = { name: 's', kind: 'Secret', causes: [{ message: 'x' }] };
  expect(redactStatus({ status: 'Failure', message: 'x', reason: 'Invalid', details })).toEqual({
    status: 'Failure',
    message: 'withheld: it may quote what the body holds',
    reason: 'Invalid',
    details: { name: 's', kind: 'Secret' },
  });
});

test('removes managed fields from objects, lists and tables', () => {
  const metadata = { name: 'a', managedFields: [{}] };
  expect(withoutManagedFields({ metadata })).toEqual({ metadata: { name: 'a' } });
  expect(withoutManagedFields({ metadata: {}, items: [{ metadata }] })).toEqual({
    metadata: {},
    items: [{ metadata: { name: 'a' } }],
  });
  expect(withoutManagedFields({ rows: [{ cells: ['a'], object: { metadata } }, { cells: [] }] })).toEqual({
    rows: [{ cells: ['a'], object: { metadata: { name: 'a' } } }, { cells: [] }],
  });
});
