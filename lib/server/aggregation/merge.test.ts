import { describe, expect, test } from 'vitest';
import { servedGroupVersions } from '#lib/api/kinds.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { DiscoveredVersion } from '#lib/server/endpoints/discovery/resource-list.ts';
import { mergeVersions, type RemoteVersion } from './merge.ts';

const version = (name: string): DiscoveredVersion => {
  const [group = '', of = ''] = name.split('/');
  return { group, version: of, resources: [] };
};
const remote = (name: string, groupPriorityMinimum: number, versionPriority: number): RemoteVersion => ({
  version: { ...version(name), freshness: 'Current' },
  priorities: { groupPriorityMinimum, versionPriority },
});
const own = servedGroupVersions().map((gv): DiscoveredVersion => ({ ...gv, resources: [] }));

test('returns the identical array without other servers', () => {
  expect(mergeVersions(own, [])).toBe(own);
});

test('preserves the order of its own groups after adding a server last', () => {
  const merged = mergeVersions(own, [remote('z/v1', 1, 1)]).map(apiVersion);
  const named = own.filter(({ group }) => group !== '').map(apiVersion);
  expect(merged.filter((name) => name.includes('/'))).toEqual([...named, 'z/v1']);
});

describe('order of merged versions', () => {
  const order = (...remotes: RemoteVersion[]): string[] =>
    mergeVersions([version('apps/v1'), version('crd.com/v1'), version('crd.com/v1beta1')], remotes).map(apiVersion);

  test.each<[string, RemoteVersion[], string[]]>([
    ['a high group first', [remote('a/v1', 18_000, 1)], ['a/v1', 'apps/v1', 'crd.com/v1', 'crd.com/v1beta1']],
    ['a tie by name', [remote('b/v1', 1000, 1)], ['apps/v1', 'b/v1', 'crd.com/v1', 'crd.com/v1beta1']],
    [
      'the highest version of a group counts',
      [remote('z/v1', 10, 20), remote('z/v2', 17_900, 10)],
      ['z/v1', 'z/v2', 'apps/v1', 'crd.com/v1', 'crd.com/v1beta1'],
    ],
    [
      'equal versions, the newest first',
      [remote('z/v1beta1', 10, 1), remote('z/v2', 10, 1), remote('z/v1', 10, 1)],
      ['apps/v1', 'crd.com/v1', 'crd.com/v1beta1', 'z/v2', 'z/v1', 'z/v1beta1'],
    ],
    [
      'a version of a definition’s group',
      [remote('crd.com/v2', 500, 200)],
      ['apps/v1', 'crd.com/v2', 'crd.com/v1', 'crd.com/v1beta1'],
    ],
  ])('sorts versions: %s', (_, remotes, expected) => {
    expect(order(...remotes)).toEqual(expected);
  });

  test("replaces the version of a CustomResourceDefinition with a server's", () => {
    const merged = mergeVersions([version('crd.com/v1')], [remote('crd.com/v1', 10, 1)]);
    expect(merged.map(({ freshness }) => freshness)).toEqual(['Current']);
  });
});
