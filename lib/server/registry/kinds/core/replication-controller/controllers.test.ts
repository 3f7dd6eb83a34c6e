import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { ReplicationController } from '#lib/api/types/core.v1.ts';
import { POD_TEMPLATES, REPLICATION_CONTROLLERS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { podTemplateStrategy as templates } from '../pod-template/strategy.ts';
import { replicationControllerStrategy as controllers } from './strategy.ts';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'nginx:1' }] } };

function aController(spec: JsonObject = {}, status: JsonObject = {}): ReplicationController {
  const fields = { metadata: { name: 'web' }, spec: { template, ...spec }, status };
  const controller = decodedAs(REPLICATION_CONTROLLERS, fields);
  controllers.default?.(controller);
  return controller;
}

describe('a replication controller', () => {
  test('takes a missing selector and missing labels from its template', () => {
    const controller = aController();
    expect(controller.spec).toMatchObject({ replicas: 1, selector: { app: 'web' } });
    expect(controller.metadata).toMatchObject({ labels: { app: 'web' } });
    expect(controllers.validate?.(controller)).toEqual([]);
  });

  test.each<[string, JsonObject, string[]]>([
    ['an absent template', { template: null, selector: { a: 'b' } }, ['spec.template: Required value']],
    [
      'a selector that does not match the template',
      { selector: { app: 'other' } },
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    ['an empty selector', { template: { spec: template.spec } }, ['spec.selector: Required value']],
    ['negative replicas', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
  ])('is rejected with %s', (_, spec, expected) => {
    expect((controllers.validate?.(aController(spec)) ?? []).map(errorText)).toEqual(expected);
  });

  test('is rejected with more ready replicas than replicas', () => {
    const controller = aController({}, { replicas: 1, readyReplicas: 2, availableReplicas: 3 });
    const errors = controllers.subresources?.['status']?.validateUpdate?.(controller, controller) ?? [];
    expect(errors.map(errorText)).toEqual([
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
    ]);
  });

  test('can be selected by status.replicas', () => {
    expect(controllers.selectableFields?.(aController({}, { replicas: 3 }))).toEqual({ 'status.replicas': '3' });
  });
});

test('validates a pod template like the template of a controller', () => {
  const object = decodedAs(POD_TEMPLATES, { template });
  templates.default?.(object);
  expect(templates.validate?.(object)).toEqual([]);
  object.template.spec.containers = [];
  expect((templates.validate?.(object) ?? []).map(errorText)).toEqual(['template.spec.containers: Required value']);
});
