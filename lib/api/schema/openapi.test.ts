import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { finished } from '#lib/machinery/steps.ts';
import { parseProps } from './json-schema-props.ts';
import { modelName, type PublishOptions, publishList, publishKind as publishSteps } from './openapi.ts';
import { toJson } from './to-json.ts';
import { typedResource } from './typed.ts';

const kind = { group: 'example.com', version: 'v1', kind: 'CronTab' };
const options = (openapi: 'v2' | 'v3'): PublishOptions => ({
  openapi,
  kind,
  preserveUnknownFields: false,
  selectableFields: ['spec.color'],
});
const port = { 'x-kubernetes-int-or-string': true };
const schema: Json = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['port', 'n'],
      properties: {
        port,
        n: { type: 'string', nullable: true, default: 'x' },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: { type: 'string', default: 'd' } } },
        },
      },
      oneOf: [{ required: ['open'] }],
    },
  },
};
const publishKind = (...given: Parameters<typeof publishSteps>): JsonObject => finished(publishSteps(...given));
const spec = (published: JsonObject) => objectAt(objectAt(published, 'properties'), 'spec');

describe('published schemas of custom resources', () => {
  test('express everything in OpenAPI v3, with int-or-string in plain terms', () => {
    const published = publishKind(parseProps(schema), options('v3'));
    expect(Object.keys(objectAt(published, 'properties') ?? {}).sort()).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'spec',
    ]);
    expect(objectAt(objectAt(spec(published), 'properties'), 'port')).toEqual({
      ...port,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    });
    expect(objectAt(objectAt(spec(published), 'properties'), 'template')).toMatchObject({
      required: ['kind', 'apiVersion'],
    });
    expect(published['x-kubernetes-group-version-kind']).toEqual([
      { group: 'example.com', kind: 'CronTab', version: 'v1' },
    ]);
    expect(published['x-kubernetes-selectable-fields']).toEqual([{ fieldPath: 'spec.color' }]);
  });

  test('omit junctors, nullable and the contents of open objects in OpenAPI v2', () => {
    const published = publishKind(parseProps(schema), options('v2'));
    const properties = objectAt(spec(published), 'properties');
    expect(spec(published)).not.toHaveProperty('oneOf');
    expect(spec(published)).toMatchObject({ required: ['port'] });
    expect(properties).toMatchObject({
      port,
      n: { default: 'x' },
      open: { 'x-kubernetes-preserve-unknown-fields': true },
    });
    expect(objectAt(properties, 'n')).not.toHaveProperty('type');
    expect(objectAt(properties, 'open')).not.toHaveProperty('properties');
  });

  test('describe a schema that accepts anything as an object, for kubectl', () => {
    const open = parseProps({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    expect(publishKind(open, options('v2'))).not.toHaveProperty('properties');
    expect(publishKind(undefined, options('v3'))).toMatchObject({ type: 'object' });
  });

  test('refer from a list to its kind by name', () => {
    const published = publishList('CronTabList', 'crontabs', options('v3'));
    expect(modelName(kind)).toBe('com.example.v1.CronTab');
    expect(JSON.stringify(published)).toContain('#/components/schemas/com.example.v1.CronTab');
  });

  test('survive encoding and parsing', () => expect(toJson(parseProps(schema))).toEqual(schema));
});

describe('structured merge of custom resources', () => {
  const typed = typedResource(parseProps(schema), false);
  const field = (name: string) => typed.map?.fields.get('spec')?.type.map?.fields.get(name)?.type;
  test('handles a list by its keys, with their defaults', () => {
    expect(field('list')?.list).toMatchObject({ relationship: 'associative', keys: ['name'] });
    expect(field('list')?.list?.items.map?.fields.get('name')?.default).toBe('d');
  });
  test('accepts an untyped value in any form', () => expect(field('port')).toMatchObject({ scalar: 'untyped' }));
  test('includes the metadata of every object', () => {
    expect(typed.map?.fields.get('metadata')?.type.map?.fields.has('ownerReferences')).toBe(true);
    expect(field('template')?.map?.fields.has('metadata')).toBe(true);
  });
  test('deduces a type without a schema', () => {
    expect(typedResource(undefined, false).scalar).toBe('untyped');
    expect(field('open')?.map?.values).toBeDefined();
  });
});
