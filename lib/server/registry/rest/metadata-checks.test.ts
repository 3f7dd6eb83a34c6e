import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { finished } from '#lib/machinery/steps.ts';
import type { FieldError } from '#lib/machinery/validation/field.ts';
import { createdMetadata, updatedMetadata } from './metadata-checks.ts';

const definition = (group: string, resource: string, custom = false) => ({
  custom,
  resource: { group, version: 'v1', resource },
  namespaced: true,
  strategy: {},
});

const anObject = (metadata: JsonObject): JsonObject => ({
  metadata: { name: 'a', namespace: 'b', resourceVersion: '1', ...metadata },
});
const LABELLED = anObject({ labels: { 'a b': 'x' } });
const FINALIZED = anObject({ finalizers: ['a b'] });

const count = (errors: readonly FieldError[], field: string): number =>
  errors.filter((error) => error.field.startsWith(`metadata.${field}`)).length;

/** How often upstream reports a bad finalizer on create, and a bad label and a bad finalizer on update. */
const COUNTS: readonly [group: string, resource: string, created: number, labels: number, finalizers: number][] = [
  ['', 'configmaps', 2, 4, 4],
  ['', 'events', 1, 2, 1],
  ['', 'limitranges', 2, 3, 3],
  ['', 'services', 2, 3, 2],
  ['admissionregistration.k8s.io', 'validatingwebhookconfigurations', 1, 3, 2],
  ['apiregistration.k8s.io', 'apiservices', 1, 4, 2],
  ['apps', 'controllerrevisions', 2, 4, 4],
  ['apps', 'deployments', 2, 3, 2],
  ['autoscaling', 'horizontalpodautoscalers', 2, 3, 2],
  ['coordination.k8s.io', 'leases', 1, 3, 1],
  ['discovery.k8s.io', 'endpointslices', 2, 3, 3],
  ['events.k8s.io', 'events', 2, 3, 2],
  ['node.k8s.io', 'runtimeclasses', 1, 4, 2],
  ['policy', 'poddisruptionbudgets', 1, 2, 1],
  ['rbac.authorization.k8s.io', 'roles', 2, 4, 4],
  ['resource.k8s.io', 'resourceslices', 2, 3, 2],
  ['storage.k8s.io', 'csinodes', 2, 3, 3],
];

describe('repeated metadata errors', () => {
  test.each(COUNTS)(
    'are reported for %s %s as often as by upstream',
    (group, resource, created, labels, finalizers) => {
      const kind = definition(group, resource);
      const old = anObject({});
      expect(count(createdMetadata(kind, FINALIZED), 'finalizers')).toBe(created);
      expect(count(createdMetadata(kind, LABELLED), 'labels')).toBe(1);
      expect(count(finished(updatedMetadata(kind, LABELLED, old)), 'labels')).toBe(labels);
      expect(count(finished(updatedMetadata(kind, FINALIZED, old)), 'finalizers')).toBe(finalizers);
    },
  );

  test('are reported for custom resources as often as by upstream', () => {
    const errors = finished(updatedMetadata(definition('example.com', 'widgets', true), LABELLED, anObject({})));
    expect(count(errors, 'labels')).toBe(3);
  });
});
