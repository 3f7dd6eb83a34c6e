import { describe, expect, test } from 'vitest';
import { clone, type Json, type JsonObject, objectAt, setField } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { aDefinition } from '../a-definition.ts';
import { type ServedCustomResource, servedVersions } from './served.ts';

const context = aRequestContext({}, { now: new Date('2024-01-01T00:00:00Z') });

function served(version: JsonObject = {}, spec: JsonObject = {}): ServedCustomResource {
  const crd = aDefinition(spec, version);
  setField(crd, 'status', { acceptedNames: objectAt(objectAt(crd, 'spec'), 'names') ?? {} });
  const [first] = servedVersions(crd);
  if (first === undefined) throw new Error('nothing is served');
  return first;
}

const aCronTab = (fields: JsonObject): JsonObject =>
  clone<JsonObject>({
    apiVersion: 'example.com/v1',
    kind: 'CronTab',
    metadata: { name: 'a', generation: 1 },
    ...fields,
  });

const scaled = {
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
};

describe('reading a custom resource', () => {
  test('prunes, reports the pruned fields, and sets defaults', () => {
    const { scheme } = served();
    const { object, unknown } = scheme.decode(aCronTab({ spec: { x: 1 }, metadata: { name: 'a', zz: 1 }, y: 1 }));
    scheme.default(object);
    expect(object).toEqual(aCronTab({ spec: { color: 'red' }, metadata: { name: 'a' } }));
    expect(unknown).toEqual(['unknown field "metadata.zz"', 'unknown field "spec.x"', 'unknown field "y"']);
  });

  test("rejects invalid metadata with Go's text", () => {
    expect(() => served().scheme.decode(aCronTab({ metadata: { labels: { a: 1 } } }))).toThrow(
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    );
  });

  test('repairs stored objects of older servers', () => {
    const { scheme } = served();
    const object = scheme.fromStored(aCronTab({ metadata: { name: 'a', labels: 3 }, spec: {}, gone: 1 }));
    expect(object).toEqual(aCronTab({ metadata: { name: 'a', generation: 1 }, spec: { color: 'red' } }));
  });

  test('writes the stored version with only its fields', () => {
    const v1 = versionOf(aDefinition());
    const old = {
      ...clone(v1),
      name: 'v1alpha1',
      storage: false,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    };
    const { scheme } = served({}, { versions: [old, v1] });
    const object = aCronTab({ apiVersion: 'example.com/v1alpha1', spec: { color: 'blue', x: 1 } });
    const stored = scheme.toStored(object);
    expect(stored).toEqual(aCronTab({ spec: { color: 'blue' } }));
    expect(scheme.fromStored(stored)).toEqual(
      aCronTab({ apiVersion: 'example.com/v1alpha1', spec: { color: 'blue' } }),
    );
  });
});

const versionOf = (crd: JsonObject): JsonObject => (crd['spec'] as { versions: [JsonObject] }).versions[0];

describe('strategy of a custom resource', () => {
  test('drops the status of a new object, and changes it only through its subresource', () => {
    const { strategy } = served(scaled);
    const object = aCronTab({ status: { replicas: 1 } });
    strategy.prepareForCreate?.(object, context);
    expect(object).not.toHaveProperty('status');
    const old = aCronTab({ status: { replicas: 1 } });
    const changed = aCronTab({ spec: { color: 'x' }, status: { replicas: 2 } });
    strategy.prepareForUpdate?.(changed, old, context);
    expect(changed).toEqual(
      aCronTab({ spec: { color: 'x' }, status: { replicas: 1 }, metadata: { name: 'a', generation: 2 } }),
    );
    const status = aCronTab({
      spec: { color: 'x' },
      status: { replicas: 2 },
      metadata: { name: 'b', managedFields: [] },
    });
    strategy.subresources?.['status']?.prepareForUpdate?.(status, old, context);
    expect(status).toEqual(
      aCronTab({ status: { replicas: 2 }, metadata: { name: 'a', generation: 1, managedFields: [] } }),
    );
  });

  test('treats the status as content without a status subresource', () => {
    const changed = aCronTab({ status: { replicas: 2 } });
    served().strategy.prepareForUpdate?.(changed, aCronTab({}), context);
    expect(objectAt(changed, 'metadata')).toMatchObject({ generation: 2 });
  });

  test.each<[string, JsonObject, string[]]>([
    ['wrong kind', { kind: 'X' }, ['kind: Invalid value: "X": must be CronTab']],
    [
      'replicas below zero',
      { spec: { replicas: -1 } },
      ['.spec.replicas: Invalid value: -1: should be a non-negative integer'],
    ],
    [
      'replicas beyond int32',
      { spec: { replicas: 2147483648 } },
      ['.spec.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647'],
    ],
    [
      'a spec that is text',
      { spec: 'x' },
      [
        'spec: Invalid value: "string": spec in body must be of type object: "string"',
        '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected map[string]interface{}',
      ],
    ],
  ])('rejects an object with %s', (_, fields, expected) => {
    const errors = served(scaled).strategy.validate?.(aCronTab(fields)) ?? [];
    expect(errors.map(errorText)).toEqual(expected);
  });

  test('accepts an update that keeps an existing error', () => {
    const { strategy } = served();
    const old = aCronTab({ spec: { color: 1 } });
    expect(strategy.validateUpdate?.(aCronTab({ spec: { color: 1, replicas: 2 } }), old)).toEqual([]);
    expect(strategy.validateUpdate?.(aCronTab({ spec: { color: 2 } }), old)).toHaveLength(1);
  });

  test('warns about finalizers without a domain', () => {
    expect(served().strategy.warnings?.(aCronTab({ metadata: { finalizers: ['mine', 'a.b/c', 'orphan'] } }))).toEqual([
      'metadata.finalizers: "mine": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
  });

  test('returns selectable fields as text', () => {
    const { strategy, selectableFields } = served({
      selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.replicas' }],
    });
    expect(selectableFields).toEqual(['spec.color', 'spec.replicas']);
    expect(strategy.selectableFields?.(aCronTab({ spec: { replicas: 3 } }))).toEqual({
      'spec.color': '',
      'spec.replicas': '3',
    });
  });
});

describe('scale of a custom resource', () => {
  const { scale } = served(scaled);
  test("is read from the definition's paths", () => {
    const object = aCronTab({ spec: { replicas: 3 }, status: { replicas: 2, selector: 'a=b' } });
    expect(scale?.get(object)).toEqual({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a' },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'a=b' },
    });
  });
  test('writes replicas even without a spec', () => {
    expect(scale?.put(aCronTab({}), { spec: { replicas: 5 }, metadata: { resourceVersion: '7' } })).toEqual(
      aCronTab({ spec: { replicas: 5 }, metadata: { name: 'a', generation: 1, resourceVersion: '7' } }),
    );
  });
  test('requires replicas in the object', () => {
    expect(() => scale?.get(aCronTab({}))).toThrow('the spec replicas field ".spec.replicas" does not exist');
  });
});

describe('table of a custom resource', () => {
  const columns = [
    { name: 'Color', type: 'string', jsonPath: '.spec.color' },
    { name: 'N', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
    { name: 'Born', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 1 },
  ];
  test.each<[JsonObject, Json[]]>([
    [{ spec: { color: 'red', replicas: 2.7, on: true } }, ['a', 'red', 2, true, null]],
    [{ spec: { color: { b: 1 }, replicas: 'x' } }, ['a', '{"b":1}', null, null, null]],
    [{ spec: { color: null } }, ['a', '<no value>', null, null, null]],
    [{ metadata: { name: 'a', creationTimestamp: '2023-12-31T23:57:00Z' } }, ['a', null, null, null, '3m']],
    [{ metadata: { name: 'a', creationTimestamp: 'x' } }, ['a', null, null, null, '<invalid>']],
  ])('prints the table cells of %j', (fields, cells) => {
    expect(served({ additionalPrinterColumns: columns }).printer.cells(aCronTab(fields), context.now)).toEqual(cells);
  });
  test('shows the age if the definition has no columns', () => {
    expect(served().printer.columns.map(({ name }) => name)).toEqual(['Name', 'Age']);
  });
});
