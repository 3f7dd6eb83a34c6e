import { expect, test } from 'vitest';
import { resourcesOf, servedGroupVersions } from '#lib/api/kinds.ts';
import { guessResource } from './guess-resource.ts';

test('guesses the resources of all built-in kinds', () => {
  const kept = servedGroupVersions()
    .flatMap(resourcesOf)
    .filter(({ verbs }) => verbs.includes('get'));
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.filter(({ kind, resource }) => guessResource(kind) !== resource)).toEqual([]);
});

test.each([
  ['Gateway', 'gateways'],
  ['Policy', 'policies'],
  ['Mesh', 'meshes'],
  ['ReplicaBatch', 'replicabatches'],
  ['Sandbox', 'sandboxes'],
  ['Alias', 'aliases'],
])('guesses for the kind %s the resource %s', (kind, resource) => {
  expect(guessResource(kind)).toBe(resource);
});
