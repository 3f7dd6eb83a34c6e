import { describe, expect, test } from 'vitest';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { arrayAt, clone, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { finished } from '#lib/machinery/steps.ts';
import { errorText, type FieldError } from '#lib/machinery/validation/field.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { aDefinition } from './a-definition.ts';
import { setCondition } from './conditions.ts';
import { beginDeletion, CLEANUP_FINALIZER, customResourceDefinition as strategy, validationSteps } from './strategy.ts';

const validated = (crd: JsonObject, old?: JsonObject): FieldError[] => finished(validationSteps(crd, old));

const context = aRequestContext({}, { now: new Date('2024-01-01T00:00:00Z') });
const VERSION = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
const established = { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: '' } as const;

function created(crd: JsonObject = aDefinition()): JsonObject {
  strategy.default?.(crd);
  strategy.prepareForCreate?.(crd, context);
  return crd;
}

function updated(old: JsonObject, change: (crd: JsonObject) => void): string[] {
  const crd = clone(old);
  change(crd);
  strategy.default?.(crd);
  strategy.prepareForUpdate?.(crd, old, context);
  return validated(crd, old).map(errorText);
}

const specOf = (crd: JsonObject): JsonObject => objectAt(crd, 'spec') ?? {};
const firstVersion = (crd: JsonObject): JsonObject => arrayAt(specOf(crd), 'versions')[0] as JsonObject;

test('fills in names and conversion, and keeps them', () => {
  const crd = aDefinition({ names: { plural: 'crontabs', kind: 'CronTab' } });
  strategy.default?.(crd);
  expect(specOf(crd)).toMatchObject({
    names: { singular: 'crontab', listKind: 'CronTabList' },
    conversion: { strategy: 'None' },
  });
  const once = clone(crd);
  strategy.default?.(crd);
  expect(crd).toEqual(once);
});

test('sets the finalizer and the storage version of a new definition, and clears its status', () => {
  const crd = created({ ...aDefinition(), status: { acceptedNames: { plural: 'x', kind: 'X' } } });
  expect(objectAt(crd, 'status')).toEqual({
    acceptedNames: { kind: '', plural: '' },
    conditions: null,
    storedVersions: ['v1'],
  });
  expect(objectAt(crd, 'metadata')).not.toHaveProperty('finalizers');
  expect(validated(crd)).toEqual([]);
  const misnamed = { ...crd, metadata: { name: 'x.example.com' } };
  expect(validated(misnamed).map(errorText)).toEqual([
    'metadata.name: Invalid value: "x.example.com": must be spec.names.plural+"."+spec.group',
  ]);
});

describe('update of a definition', () => {
  test.each<[string, (crd: JsonObject) => void, string[]]>([
    [
      'keeps the group',
      (crd) => Object.assign(specOf(crd), { group: 'other.com' }),
      ['spec.group: Invalid value: "other.com": field is immutable'],
    ],
    [
      'keeps the scope once established',
      (crd) => Object.assign(specOf(crd), { scope: 'Cluster' }),
      ['spec.scope: Invalid value: "Cluster": field is immutable'],
    ],
    [
      'keeps versions in which objects may be stored',
      (crd) => Object.assign(firstVersion(crd), { name: 'v2' }),
      [
        'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
      ],
    ],
    [
      'may change the schema',
      (crd) => Object.assign(firstVersion(crd), { schema: { openAPIV3Schema: { type: 'object' } } }),
      [],
    ],
  ])('checks an update: it %s', (_, change, expected) => {
    const old = created();
    setCondition(old, established, context.now);
    expect(updated(old, change)).toEqual(expected);
  });

  test('may change the scope before the definition is established', () => {
    expect(updated(created(), (crd) => Object.assign(specOf(crd), { scope: 'Cluster' }))).toEqual([]);
  });

  test('adds a new storage version to the stored ones', () => {
    const old = created();
    const crd = clone(old);
    const second = { ...clone(firstVersion(crd)), name: 'v2' };
    Object.assign(specOf(crd), { versions: [{ ...firstVersion(crd), storage: false }, second] });
    strategy.prepareForUpdate?.(crd, old, context);
    expect(objectAt(crd, 'status')).toMatchObject({ storedVersions: ['v1', 'v2'] });
    expect(validated(crd, old)).toEqual([]);
  });

  test('preserves the spec in an update of the status', () => {
    const old = created();
    const crd = { ...clone(old), spec: {} };
    strategy.subresources?.['status']?.prepareForUpdate?.(crd, old, context);
    expect(crd.spec).toEqual(old['spec']);
  });
});

test('may keep a schema that an older server accepted', () => {
  const unstructured = { openAPIV3Schema: { type: 'object', properties: { a: {} } } };
  const old = created(aDefinition({}, { schema: unstructured }));
  expect(validated(old).map(({ field }) => field)).toContain('spec.validation.openAPIV3Schema.properties[a].type');
  const preserving = created(aDefinition({ preserveUnknownFields: true }, { schema: unstructured }));
  expect(
    updated(preserving, (crd) =>
      Object.assign(specOf(crd), { names: { ...objectAt(specOf(crd), 'names'), shortNames: ['ct'] } }),
    ),
  ).toEqual([]);
});

test('may give a new version the expensive rules that all others have', () => {
  const messageExpression = Array.from({ length: 9 }, (_, i) => `self[${i}]`).join(' + ');
  const f = {
    type: 'array',
    items: { type: 'string' },
    'x-kubernetes-validations': [{ rule: 'true', messageExpression }],
  };
  const old = created(aDefinition({}, { schema: { openAPIV3Schema: { type: 'object', properties: { f } } } }));
  const path = 'x-kubernetes-validations[0].messageExpression';
  expect(validated(old).map(({ field }) => field)).toEqual([`spec.validation.openAPIV3Schema.properties[f].${path}`]);
  expect(
    updated(old, (crd) => {
      const added = { ...clone(firstVersion(crd)), name: 'v2', storage: false };
      Object.assign(specOf(crd), { versions: [...arrayAt(specOf(crd), 'versions'), added] });
    }),
  ).toEqual([]);
});

test.each([
  [null, 'null'],
  [[], '[]'],
])('shows versions of %j in an error', (versions, shown) => {
  expect(validated(created(aDefinition({ versions }))).map(errorText)).toContain(
    `spec.versions: Invalid value: ${shown}: must have exactly one version marked as storage version`,
  );
});

describe('fields that are explicitly empty', () => {
  const faults = (schema: JsonObject): string[] => {
    const subresources = { status: {} };
    const crd = aDefinition({}, { schema: { openAPIV3Schema: { type: 'object', ...schema } }, subresources });
    const { object } = decodeTyped(
      { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
      crd,
    );
    return validated(created(object)).map(errorText);
  };

  test.each<[string, JsonObject, string]>([
    ['a list of junctors', { anyOf: [] }, '"AnyOf":[]'],
    ['an enum', { enum: [] }, '"Enum":[]'],
    ['a list type', { 'x-kubernetes-list-type': '' }, '"XListType":""'],
    ['a default', { default: '' }, '"Default":""'],
  ])('rejects %s at the root of a schema', (_, schema, shown) => {
    expect(faults(schema)).toContainEqual(expect.stringContaining(shown));
    expect(faults(schema).join()).toContain('fields are allowed at the root of the schema if the status subresource');
  });

  test('accepts every field that the root may have', () =>
    expect(faults({ required: [], properties: {} })).toEqual([]));

  test.each<[JsonObject, boolean]>([
    [{ required: [] }, true],
    [{ 'x-kubernetes-validations': [] }, true],
    [{ enum: [], anyOf: [] }, false],
  ])('checks metadata with %j: %s', (more, refused) => {
    expect(faults({ properties: { metadata: { type: 'object', ...more } } })).toHaveLength(refused ? 1 : 0);
  });
});

test.each<[string, JsonObject, string[]]>([
  [
    'two versions of a name',
    { versions: [VERSION, VERSION] },
    ['spec.versions', 'spec.versions', 'status.storedVersions'],
  ],
  ['a version without a name', { versions: [{ ...VERSION, name: '' }] }, ['spec.versions[0].name']],
])('rejects a definition with %s', (_, spec, fields) => {
  expect(validated(created(aDefinition(spec))).map(({ field }) => field)).toEqual(fields);
});

test("shows the items of a list of maps in upstream's form", () => {
  const f = { type: 'array', items: [{ type: 'string' }], 'x-kubernetes-list-type': 'map' };
  const crd = created(aDefinition({}, { schema: { openAPIV3Schema: { type: 'object', properties: { f } } } }));
  const text = validated(crd)
    .map(errorText)
    .find((error) => error.includes('a single schema'));
  expect(text).toContain('f].items: Invalid value: {"Schema":null,"JSONSchemas":[{"ID":"","Schema":"","Ref":null');
});

test('warns once about unknown formats', () => {
  const schema = { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', format: 'madeup' } } } };
  const crd = created(aDefinition({}, { schema }));
  expect(strategy.warnings?.(crd)).toEqual(['unrecognized format "madeup"']);
  expect(strategy.warnings?.(crd, crd)).toEqual([]);
});

test('reports that a deletion removes objects first', () => {
  const crd = aDefinition();
  beginDeletion(crd, context);
  expect(objectAt(crd, 'metadata')).toMatchObject({ finalizers: [CLEANUP_FINALIZER] });
  expect(arrayAt(objectAt(crd, 'status'), 'conditions')).toMatchObject([{ type: 'Terminating', status: 'True' }]);
});
