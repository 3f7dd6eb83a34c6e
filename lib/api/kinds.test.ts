import { describe, expect, test } from 'vitest';
import { apiVersion } from '#lib/machinery/schema.ts';
import { findKind, findResource, resourcesOf, servedGroupVersions } from './kinds.ts';
import { typeFacts, typeNames } from './types.ts';

const CORE = { group: '', version: 'v1' };

describe('served kinds', () => {
  test('are the stable group-versions, with the core group first', () => {
    const names = servedGroupVersions().map(apiVersion);
    expect(names[0]).toBe('v1');
    expect(names).toContain('resource.k8s.io/v1');
    expect(names.indexOf('autoscaling/v2')).toBeLessThan(names.indexOf('autoscaling/v1'));
    expect(names.filter((name) => /alpha|beta/.test(name))).toEqual([]);
    expect(names).toHaveLength(22);
  });

  test('have a type for every resource and subresource', () => {
    for (const groupVersion of servedGroupVersions()) {
      for (const resource of resourcesOf(groupVersion)) {
        expect(findKind(resource)?.kind, resource.resource).toMatchObject({ kind: resource.kind });
        for (const { kind } of resource.subresources) expect(findKind(kind)?.kind).toEqual(kind);
      }
    }
  });

  test('may have a subresource of another group', () => {
    const pods = findResource({ ...CORE, resource: 'pods' });
    expect(pods).toMatchObject({ singular: 'pod', namespaced: true, shortNames: ['po'], categories: ['all'] });
    expect(pods?.subresources.find(({ name }) => name === 'eviction')).toEqual({
      name: 'eviction',
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
      verbs: ['create'],
    });
  });

  test.each([
    ['autoscaling', 'v1', 'horizontalpodautoscalers', 'autoscaling/v2'],
    ['events.k8s.io', 'v1', 'events', 'v1'],
    ['apps', 'v1', 'deployments', 'apps/v1'],
  ])('store %s/%s %s as %s', (group, version, resource, stored) => {
    const { storage } = findResource({ group, version, resource }) ?? {};
    expect(storage && apiVersion(storage)).toBe(stored);
  });

  test('include no resource in a version that is not served', () => {
    expect(findResource({ group: 'storage.k8s.io', version: 'v1beta1', resource: 'csidrivers' })).toBeUndefined();
    expect(findResource({ ...CORE, resource: 'toString' })).toBeUndefined();
    expect(findKind({ ...CORE, kind: 'constructor' })).toBeUndefined();
    expect(findKind({ group: 'apps', version: 'v1', kind: 'DeleteOptions' })?.name).toBe('meta.v1.DeleteOptions');
  });

  test('can build every type, and every field of a struct has its type', () => {
    for (const name of typeNames()) for (const { value } of typeFacts(name).fields) expectKnown(value);
  });
});

function expectKnown(value: ReturnType<typeof typeFacts>['fields'][number]['value']): void {
  if (value.form === 'struct') expect(typeFacts(value.type).name).toBe(value.type);
  else if (value.form === 'list' || value.form === 'map') expectKnown(value.of);
}
