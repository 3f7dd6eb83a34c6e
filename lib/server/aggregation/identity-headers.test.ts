import { describe, expect, test } from 'vitest';
import type { User } from '#lib/server/authentication/user.ts';
import { identityHeaders, isIdentityHeader } from './identity-headers.ts';

describe('headers of a user', () => {
  test.each<[string, User, Record<string, string | string[]>]>([
    ['only a name', { name: 'ann', groups: [] }, { 'x-remote-user': 'ann' }],
    [
      'a header for each group',
      { name: 'ann', groups: ['a', 'b,c'] },
      { 'x-remote-user': 'ann', 'x-remote-group': ['a', 'b,c'] },
    ],
    ['uid', { name: 'ann', groups: [], uid: 'u1' }, { 'x-remote-user': 'ann', 'x-remote-uid': 'u1' }],
    [
      'extras, each key escaped',
      { name: 'ann', groups: [], extra: { 'example.com/key': ['1', '2'], 'ä%': ['x'], none: [] } },
      {
        'x-remote-user': 'ann',
        'x-remote-extra-example.com%2Fkey': ['1', '2'],
        'x-remote-extra-%C3%A4%25': ['x'],
      },
    ],
  ])('identify the user: %s', (_, user, expected) => {
    expect(identityHeaders(user)).toEqual(expected);
  });
});

test.each([
  ['x-remote-user', true],
  ['x-remote-uid', true],
  ['x-remote-group', true],
  ['x-remote-extra-scopes', true],
  ['x-remote-extra-', true],
  ['x-remote-users', false],
  ['x-remote', false],
])('%s is recognized as an identity header: %s', (name, expected) => {
  expect(isIdentityHeader(name)).toBe(expected);
});

test.each(['Ã©', 'é', '漢', 'ann'])('encode a name in UTF-8, so that it is not mistaken for another: %s', (name) => {
  const { 'x-remote-user': user = '', 'x-remote-group': groups = [] } = identityHeaders({ name, groups: [name] });
  const bytes = [user, groups].flat().map((text) => Buffer.from(text, 'latin1')); // the bytes that Node writes for the headers
  expect(bytes.map(String)).toEqual([name, name]); // the text that Go reads
});
