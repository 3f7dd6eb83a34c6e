import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { mergeSpecs } from './merge-specs.ts';
import { filterSpecByPaths, readSpec, specObject } from './spec.ts';

const to = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });
const answering = (schema: JsonObject): JsonObject => ({ get: { responses: { '200': { schema } } } });
const kind = (group: string): JsonObject => ({ group, kind: 'Options', version: 'v1' });
const ofKinds = (...kinds: JsonObject[]): JsonObject => ({
  type: 'object',
  'x-kubernetes-group-version-kind': kinds,
});

const destination = (own: JsonObject) => ({
  hasPath: (path: string) => objectAt(own, 'paths')?.[path] !== undefined,
  definition: (name: string) => objectAt(objectAt(own, 'definitions'), name),
});
const merged = (own: JsonObject, ...sources: JsonObject[]) => {
  const { parts, changed } = mergeSpecs(destination(own), sources.map(readSpec));
  return { parts: parts.map(specObject), changed: Object.fromEntries(changed) };
};
const part = (of: Partial<Record<'paths' | 'definitions' | 'parameters', JsonObject>>): JsonObject => ({
  paths: {},
  definitions: {},
  parameters: {},
  ...of,
});

const OWN = {
  paths: { '/own': answering(to('Foo')) },
  definitions: { Foo: { type: 'string' }, Options: ofKinds(kind('a')) },
};

describe('mergeSpecs', () => {
  test('adds paths with their definitions', () => {
    const source = { paths: { '/new': answering(to('Bar')) }, definitions: { Bar: { type: 'object' } } };
    expect(merged(OWN, source)).toEqual({ parts: [part(source)], changed: {} });
  });

  test('keeps an existing path and drops the definitions of the other one', () => {
    const source = {
      paths: { '/own': answering(to('Gone')), '/new': answering(to('Bar')) },
      definitions: { Gone: { items: to('GoneToo') }, GoneToo: {}, Bar: {}, Unused: {} },
    };
    expect(merged(OWN, source).parts).toEqual([
      part({ paths: { '/new': answering(to('Bar')) }, definitions: { Bar: {}, Unused: {} } }),
    ]);
  });

  test('renames a different definition of the same name and all references to it', () => {
    const source = {
      paths: { '/new': answering(to('Foo')) },
      definitions: { Foo: { properties: { next: to('Foo'), $ref: { type: 'string' } } } },
    };
    expect(merged(OWN, source).parts).toEqual([
      part({
        paths: { '/new': answering(to('Foo_v2')) },
        definitions: { Foo_v2: { properties: { next: to('Foo_v2'), $ref: { type: 'string' } } } },
      }),
    ]);
  });

  test('reuses the previous name for an equal definition, and uses the next name for another one', () => {
    const source = (path: string, type: string) => ({
      paths: { [path]: answering(to('Foo')) },
      definitions: { Foo: { type } },
    });
    const { parts } = merged(OWN, source('/1', 'integer'), source('/2', 'integer'), source('/3', 'number'));
    expect(parts.map((one) => Object.keys(objectAt(one, 'definitions') ?? {}))).toEqual([['Foo_v2'], [], ['Foo_v3']]);
    expect(parts.map((one) => one['paths'])).toEqual([
      { '/1': answering(to('Foo_v2')) },
      { '/2': answering(to('Foo_v2')) },
      { '/3': answering(to('Foo_v3')) },
    ]);
  });

  test('uses no new name that the source itself contains', () => {
    const source = {
      paths: { '/new': answering({ properties: { a: to('Foo'), b: to('Foo_v2') } }) },
      definitions: { Foo: { type: 'integer' }, Foo_v2: { type: 'number' } },
    };
    expect(Object.keys(objectAt(merged(OWN, source).parts[0], 'definitions') ?? {})).toEqual(['Foo_v3', 'Foo_v2']);
  });

  test('adds the kinds of an otherwise equal definition', () => {
    const source = (path: string, group: string) => ({
      paths: { [path]: answering(to('Options')) },
      definitions: { Options: ofKinds(kind(group)) },
    });
    expect(merged(OWN, source('/1', 'c'), source('/2', 'b'), source('/3', 'a'))).toMatchObject({
      parts: [{ definitions: {} }, { definitions: {} }, { definitions: {} }],
      changed: { Options: ofKinds(kind('a'), kind('b'), kind('c')) },
    });
    const { parts } = merged({}, source('/1', 'c'), source('/2', 'b'));
    expect(parts.map((one) => one['definitions'])).toEqual([{ Options: ofKinds(kind('b'), kind('c')) }, {}]);
  });

  test('renames parameters', () => {
    const source = (path: string, type: string) => ({
      paths: { [path]: { parameters: [{ $ref: '#/parameters/p-1' }] } },
      parameters: { 'p-1': { name: 'p', in: 'query', type } },
    });
    const { parts } = merged({}, source('/1', 'string'), source('/2', 'string'), source('/3', 'integer'));
    expect(parts.map((one) => Object.keys(objectAt(one, 'parameters') ?? {}))).toEqual([['p-1'], [], ['p-1_v2']]);
    expect(objectAt(parts[2], 'paths')).toEqual({ '/3': { parameters: [{ $ref: '#/parameters/p-1_v2' }] } });
  });

  test('adds nothing from a document without paths', () => {
    expect(merged(OWN, { definitions: { Bar: {} } }).parts).toEqual([part({})]);
  });

  test('handles names that JavaScript objects have', () => {
    const source = JSON.parse(
      '{"paths":{"/new":{"get":{"schema":{"$ref":"#/definitions/__proto__"}}}},"definitions":{"__proto__":{"type":"object"},"constructor":1}}',
    ) as JsonObject;
    const [one] = merged(OWN, source).parts;
    expect(Object.keys(objectAt(one, 'definitions') ?? {})).toEqual(['__proto__']);
    expect(isObject(one)).toBe(true);
  });
});

test('keeps definitions that were already unused when it filters a document', () => {
  const source = readSpec({
    paths: { '/apis/a/v1/x': answering(to('X')), '/apis/b/v1/y': answering(to('Y')) },
    definitions: { X: {}, Y: { items: to('Deep') }, Deep: {}, Other: {} },
  });
  expect(specObject(filterSpecByPaths(source, (path) => path.startsWith('/apis/a/v1/')))).toEqual(
    part({ paths: { '/apis/a/v1/x': answering(to('X')) }, definitions: { X: {}, Other: {} } }),
  );
});
