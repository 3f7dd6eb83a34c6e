import { describe, expect, test } from 'vitest';
import { objectAt } from '#lib/machinery/json-value.ts';
import { schemaName } from '../openapi/names.ts';
import { openApiV3 } from '../openapi/v3.ts';
import { hasType, typeFacts, typeNames } from '../types.ts';
import type { ValueFacts } from '../values.ts';
import { TEXTS, textsOf, typeTexts } from './texts.ts';
import values from './values.json' with { type: 'json' };

const fieldsOf = (type: string): string[] => typeFacts(type).fields.map(({ name }) => name);
const missing = (
  types: readonly string[],
  has: (type: string) => Iterable<string>,
  wants: (type: string) => string[],
) =>
  types.flatMap((type) => {
    const known = new Set(has(type));
    return wants(type).flatMap((field) => (known.has(field) ? [] : [`${type} ${field}`]));
  });

test('has texts only for existing types and fields', () => {
  const types = Object.keys(TEXTS).filter((type) => !Object.hasOwn(values, type));
  expect(types.filter((type) => !hasType(type))).toEqual([]);
  expect(
    missing(
      types,
      (type) => ['', ...fieldsOf(type)],
      (type) => Object.keys(TEXTS[type] ?? {}),
    ),
  ).toEqual([]);
});

const versions = Map.groupBy(typeNames(), (type) => type.split('.').slice(0, -1).join('.'));
const tables = [...versions].map(([version, types]) => ({ version, types, fields: types.flatMap(fieldsOf).length }));

test.each(tables)('describes in $version all $types.length types and $fields fields', ({ types }) => {
  expect(
    missing(
      types,
      (type) => Object.keys(textsOf(type)),
      (type) => ['', ...fieldsOf(type)],
    ),
  ).toEqual([]);
});

test('has short texts that end like sentences', () => {
  const all = typeNames().flatMap((type) => Object.values(textsOf(type)));
  expect(all.filter((text) => text.length > 180 || !/^\S.*[.…]$/.test(text))).toEqual([]);
});

/** The struct type of a field, or of the items of its list or map. */
const structOf = (value: ValueFacts): string | undefined => {
  if (value.form === 'struct') return value.type;
  return value.form === 'list' || value.form === 'map' ? structOf(value.of) : undefined;
};

test('describes a field differently from its type, because kubectl explain prints both', () => {
  const same = typeNames().flatMap((type) =>
    typeFacts(type)
      .fields.filter(({ name, value }) => {
        const held = structOf(value);
        return held !== undefined && textsOf(type)[name] === textsOf(held)[''];
      })
      .map(({ name }) => `${type}.${name}`),
  );
  expect(same).toEqual([]);
});

describe('texts that several types share', () => {
  test.each([
    ['a list', 'core.v1.PodList', '', 'A list of objects of kind Pod.'],
    ['what a list has', 'core.v1.PodList', 'items', 'The objects.'],
    [
      'what a kind has',
      'core.v1.ConfigMap',
      'kind',
      'The kind of the object, in CamelCase, such as Pod. It cannot be changed.',
    ],
    ['a condition', 'apps.v1.DeploymentCondition', 'status', TEXTS['meta.v1.Condition']?.['status']],
    ['an embedded struct', 'core.v1.Volume', 'emptyDir', TEXTS['core.v1.VolumeSource']?.['emptyDir']],
    ['a type with a text of its own for a common field', 'core.v1.ObjectReference', 'kind', 'Its kind.'],
  ])('%s', (_, type, field, text) => {
    expect(textsOf(type)[field]).toBe(text);
  });

  test.each(Object.entries(values))('describe the published value %s', (type, { '': text }) => {
    const name = schemaName(type);
    expect(typeTexts(name)).toEqual({ '': text });
  });

  test('do not exist for a type that is not built in', () => {
    expect(typeTexts('com.example.v1.Pod')).toBeUndefined();
  });
});

test('lists only values that are types in the documents', () => {
  const documents = ['', 'apps', 'autoscaling', 'apiextensions.k8s.io'].map((group) =>
    openApiV3({ group, version: 'v1' }),
  );
  const published = documents.flatMap((it) => Object.keys(objectAt(objectAt(it, 'components'), 'schemas') ?? {}));
  expect(Object.keys(values).filter((type) => !published.includes(schemaName(type)))).toEqual([]);
});
