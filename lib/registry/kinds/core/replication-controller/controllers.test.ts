import { describe, expect, test } from 'vitest';
import { clone, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure } from '#lib/machinery/unstructured.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { podStrategies } from '../workload-strategies.ts';

const controllers = podStrategies['/replicationcontrollers'] as KindStrategy;
const templates = podStrategies['/podtemplates'] as KindStrategy;
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'nginx:1' }] } };

function aController(spec: JsonObject = {}): JsonObject {
  const controller: JsonObject = { metadata: { name: 'web' }, spec: { template: clone(template), ...spec } };
  controllers.default?.(controller);
  return controller;
}

describe('a replication controller', () => {
  test('selects by its template and has its labels', () => {
    const controller = aController();
    expect(objectAt(controller, 'spec')).toMatchObject({ replicas: 1, selector: { app: 'web' } });
    expect(objectAt(controller, 'metadata')).toMatchObject({ labels: { app: 'web' } });
    expect(controllers.validate?.(controller)).toEqual([]);
  });

  test.each<[string, JsonObject, string[]]>([
    ['has a template', { template: null, selector: { a: 'b' } }, ['spec.template: Required value']],
    [
      'selects its own pods',
      { selector: { app: 'other' } },
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    ['selects something', { template: { spec: template.spec } }, ['spec.selector: Required value']],
    ['counts replicas', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
  ])('%s', (_, spec, expected) => {
    expect((controllers.validate?.(aController(spec)) ?? []).map(errorText)).toEqual(expected);
  });

  test('has no more ready replicas than replicas', () => {
    const controller = { ...aController(), status: { replicas: 1, readyReplicas: 2, availableReplicas: 3 } };
    const errors = controllers.subresources?.['status']?.validateUpdate?.(controller, controller) ?? [];
    expect(errors.map(errorText)).toEqual([
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
    ]);
  });

  test('is selected by its replicas', () => {
    expect(controllers.selectableFields?.({ status: { replicas: 3 } })).toEqual({ 'status.replicas': '3' });
  });
});

test('a pod template is checked like any', () => {
  const object: JsonObject = { template: clone(template) };
  templates.default?.(object);
  expect(templates.validate?.(object)).toEqual([]);
  ensure(object, 'template', 'spec')['containers'] = [];
  expect((templates.validate?.(object) ?? []).map(errorText)).toEqual(['template.spec.containers: Required value']);
});
