import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { typesOf } from './type-text.ts';

const version = (name: string, storage: boolean, spec: JsonObject): JsonObject => ({
  name,
  storage,
  served: true,
  schema: {
    openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec, metadata: { type: 'object' } } },
  },
});
const definition = (...versions: JsonObject[]): JsonObject => ({
  spec: { group: 'example.com', names: { kind: 'RedSite' }, versions },
});
const fieldOf = (schema: JsonObject): string => {
  const text = typesOf(definition(version('v1', true, { type: 'object', properties: { a: schema } })));
  return /readonly a\?: ([^]*?);\n {2}\};/.exec(text)?.[1] ?? text;
};

test('generates an interface and a kind for a definition', () => {
  const spec = { type: 'object', required: ['x'], properties: { x: { type: 'string', description: 'The */ text' } } };
  expect(typesOf(definition(version('v1', true, spec)))).toBe(`export interface RedSite extends KubernetesObject {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'RedSite';
  readonly spec: {
    /** The *\\/ text */
    readonly x: string;
  };
}
export const RED_SITE: Kind<RedSite> = { apiVersion: 'example.com/v1', kind: 'RedSite' };
`);
});

test('adds the version to names of versions that are not stored, and omits versions that are not served', () => {
  const [old, gone] = [version('v1beta1', false, {}), { ...version('v1alpha1', false, {}), served: false }];
  const text = typesOf(definition(version('v1', true, {}), old, gone));
  expect(text).toContain('export interface RedSiteV1beta1 ');
  expect(text).toContain('export const RED_SITE_V1BETA1');
  expect(text).not.toContain('v1alpha1');
});

test('a field with a default is required for readers and optional for writers', () => {
  const size = { type: 'integer', default: 1 };
  const spec = {
    type: 'object',
    required: ['ports'],
    properties: { ports: { type: 'array', items: { type: 'object', properties: { size } } } },
  };
  const text = typesOf(definition(version('v1', true, { ...spec, default: {} })));
  expect(text).toBe(`export interface RedSite extends KubernetesObject {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'RedSite';
  readonly spec: {
    readonly ports: readonly {
      readonly size: number;
    }[];
  };
}
/** A RedSite as a client writes it: the server fills in fields that have a default. */
export interface RedSiteApplyConfiguration extends KubernetesObject {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'RedSite';
  readonly spec?: {
    readonly ports: readonly {
      readonly size?: number;
    }[];
  };
}
export const RED_SITE: Kind<RedSite> = { apiVersion: 'example.com/v1', kind: 'RedSite' };
`);
});

test.each<[JsonObject, string]>([
  [{ type: 'integer' }, 'number'],
  [{ type: 'boolean', nullable: true }, 'boolean | null'],
  [{ type: 'string', enum: ['a', "it's"] }, "'a' | 'it\\'s'"],
  [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, "readonly ('a' | 'b')[]"],
  [{ 'x-kubernetes-int-or-string': true }, 'number | string'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Readonly<Record<string, number>>'],
  [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, 'Readonly<Record<string, unknown>>'],
  [{ type: 'object', 'x-kubernetes-embedded-resource': true }, 'KubernetesObject'],
  [{ type: 'object', properties: { 'b-c': {} } }, "{\n      readonly 'b-c'?: unknown;\n    }"],
  [{}, 'unknown'],
])('%j is %s', (schema, type) => {
  expect(fieldOf(schema)).toBe(type);
});
