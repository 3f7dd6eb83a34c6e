import { expect, test } from 'vitest';
import { controlSequence, leaseSequence, sequenceOf } from './sequences.ts';

test.each([
  ['a core resource has its own', '', 'pods', 'main//pods'],
  ['a resource of a group has its own', 'apps', 'deployments', 'main/apps/deployments'],
  ['a custom resource has its own', 'example.com', 'namespaces', 'main/example.com/namespaces'],
  ['a kind that decides about requests shares one', '', 'namespaces', 'main/control'],
  ['roles share the same one', 'rbac.authorization.k8s.io', 'roles', 'main/control'],
  ['definitions share the same one', 'apiextensions.k8s.io', 'customresourcedefinitions', 'main/control'],
  ['core events', '', 'events', 'main//events'],
  ['events of the other group share that of core events', 'events.k8s.io', 'events', 'main//events'],
  ['names of prototype members have no special meaning', '__proto__', 'constructor', 'main/__proto__/constructor'],
])('names the sequence of a resource: %s', (_, group, resource, name) => {
  expect(sequenceOf('main', { group, resource })).toBe(name);
});

test('gives Leases their own sequence', () => {
  expect(leaseSequence('main')).toBe('main/coordination.k8s.io/leases');
});

test('starts names with the logical cluster', () => {
  expect(sequenceOf('team-a', { group: '', resource: 'pods' })).toBe('team-a//pods');
  expect(controlSequence('team-a')).toBe('team-a/control');
});
