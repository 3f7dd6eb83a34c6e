import { expect, test } from 'vitest';
import type { ServedResource } from '#lib/client/discovery.ts';
import { type DeclarationInput, parseDeclaration } from './declaration.ts';
import { notServed, unservedKinds } from './unserved.ts';

const aKind = (group: string, version: string, kind: string): ServedResource => ({
  resource: { group, version, resource: `${kind.toLowerCase()}s` },
  kind,
  namespaced: true,
  verbs: new Set(),
});
const unservedText = (input: DeclarationInput): string =>
  unservedKinds(parseDeclaration(input), SERVED)
    .map((kind) => notServed(kind, SERVED))
    .join('; ');
const SERVED = [
  aKind('', 'v1', 'ConfigMap'),
  aKind('', 'v1', 'Pod'),
  aKind('apps', 'v1', 'Deployment'),
  aKind('example.com', 'v1', 'Gadget'),
  aKind('example.com', 'v1', 'Widget'),
  aKind('example.com', 'v2', 'Widget'),
];

test.each([
  ['no error for a served kind', 'example.com/v1', 'Widget', undefined],
  ['a missing letter', 'example.com/v1', 'Widgt', 'Widget'],
  ['a wrong case', 'v1', 'configmap', 'ConfigMap'],
  ['two swapped letters', 'v1', 'Pdo', 'none'],
  ['another version', 'example.com/v3', 'Gadget', 'Gadget of example.com/v1'],
  ['another group', 'extensions/v1beta1', 'Deployment', 'Deployment of apps/v1'],
  ['a wrong letter, and another version', 'apps/v2', 'Deploymint', 'Deployment of apps/v1'],
  ['no similar kind', 'example.com/v1', 'Site', 'none'],
])('reports %s: %s %s', (_, apiVersion, kind, meant) => {
  const text = unservedText({ name: 'one', for: { apiVersion, kind } });
  const start = `kind ${kind} of ${apiVersion} is not served`;
  if (meant === undefined) expect(text).toBe('');
  else expect(text).toBe(meant === 'none' ? start : `${start}; did you mean ${meant}?`);
});

test('reports each kind of a declaration once', () => {
  const none = { apiVersion: 'example.com/v1', kind: 'None' };
  const pods = { apiVersion: 'v1', kind: 'Pods', map: { owner: true as const } };
  expect(unservedText({ name: 'one', for: none, owns: [none], watches: [pods] })).toBe(
    'kind None of example.com/v1 is not served; kind Pods of v1 is not served; did you mean Pod?',
  );
});
