import { expect, test } from 'vitest';
import { controlSequence, leaseSequence, sequenceOf } from './sequences.ts';

test.each([
  ['a core type has its own', '', 'pods', 'main//pods'],
  ['a grouped type has its own', 'apps', 'deployments', 'main/apps/deployments'],
  ['a custom type has its own', 'example.com', 'namespaces', 'main/example.com/namespaces'],
  ['what decides about requests shares one', '', 'namespaces', 'main/control'],
  ['roles', 'rbac.authorization.k8s.io', 'roles', 'main/control'],
  ['definitions', 'apiextensions.k8s.io', 'customresourcedefinitions', 'main/control'],
  ['core events', '', 'events', 'main//events'],
  ['events of the other group are views of them', 'events.k8s.io', 'events', 'main//events'],
  ['a name from a prototype is only a name', '__proto__', 'constructor', 'main/__proto__/constructor'],
])('%s', (_, group, resource, name) => {
  expect(sequenceOf('main', { group, resource })).toBe(name);
});

test('Leases have a sequence of their own', () => {
  expect(leaseSequence('main')).toBe('main/coordination.k8s.io/leases');
});

test('names begin with the logical cluster', () => {
  expect(sequenceOf('team-a', { group: '', resource: 'pods' })).toBe('team-a//pods');
  expect(controlSequence('team-a')).toBe('team-a/control');
});
