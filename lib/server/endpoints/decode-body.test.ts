import { describe, expect, test } from 'vitest';
import { encodeMessage } from '#lib/api/codec/protobuf/encode.ts';
import { encodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { builtInScheme } from '#lib/server/registry/built-in-scheme.ts';
import { decodeApplied } from './applied-body.ts';
import { MAX_VALUES } from './body-bound.ts';
import { decodeBody } from './decode-body.ts';
import { decodePatch } from './handlers/patch-types.ts';

const scheme = builtInScheme({ group: '', version: 'v1', kind: 'ConfigMap' });
const decode = (contentType: string, bytes: Uint8Array): JsonObject =>
  decodeBody({ contentType, bytes }, scheme, 'Warn', () => {});

const configMap = (finalizers: number): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', finalizers: Array.from({ length: finalizers }, () => '') },
});
const json = (value: JsonObject): Uint8Array => Buffer.from(JSON.stringify(value));
const yaml = (value: JsonObject): Uint8Array => Buffer.from(`--- ${JSON.stringify(value)}`);
const protobuf = (value: JsonObject): Uint8Array =>
  encodeUnknown({ apiVersion: 'v1', kind: 'ConfigMap', raw: encodeMessage('v1', 'ConfigMap', value) });

/** The object, its metadata and four fields next to the finalizers. */
const OTHERS = 6;

describe('a body of too many values', () => {
  test.each<[string, (value: JsonObject) => unknown]>([
    ['JSON', (value) => decode('application/json', json(value))],
    ['YAML', (value) => decode('application/yaml', yaml(value))],
    ['JSON with the content type of YAML', (value) => decode('application/yaml', json(value))],
    ['protobuf', (value) => decode('application/vnd.kubernetes.protobuf', protobuf(value))],
    ['an applied configuration', (value) => decodeApplied(json(value))],
    ['a merge patch', (value) => decodePatch('application/merge-patch+json', json(value), scheme)],
  ])('rejects a body with too many values: %s', (_, read) => {
    expect(() => read(configMap(MAX_VALUES))).toThrow(
      expect.objectContaining({
        code: 413,
        reason: 'RequestEntityTooLarge',
        message: 'Request entity too large: limit is 50000 fields and items',
      }) as Error,
    );
  });

  test.each<[string, (value: JsonObject) => JsonObject]>([
    ['JSON', (value) => decode('application/json', json(value))],
    ['protobuf', (value) => decode('application/vnd.kubernetes.protobuf', protobuf(value))],
  ])('accepts a body with the maximum number of values: %s', (_, read) => {
    expect(read(configMap(MAX_VALUES - OTHERS))).toEqual(configMap(MAX_VALUES - OTHERS));
  });
});

describe('errors in YAML', () => {
  const text = 'zeta: 1\nmetadata:\n  name: a\n  name: b\n  other: 1\ndata: {}\ndata: {}\nalpha: 1\n';
  const read = (mode: 'Warn' | 'Strict'): string[] => {
    const told: string[] = [];
    decodeBody({ contentType: 'application/yaml', bytes: Buffer.from(text) }, scheme, mode, (line) => told.push(line));
    return told;
  };

  test('warns about each error: repeated fields by line, unknown ones by name', () => {
    expect(read('Warn')).toEqual([
      'line 4: key "name" already set in map',
      'line 7: key "data" already set in map',
      'unknown field "alpha"',
      'unknown field "metadata.other"',
      'unknown field "zeta"',
    ]);
  });

  test('reports all errors in one message', () => {
    const errors = 'line 4: key "name" already set in map\n  line 7: key "data" already set in map';
    expect(() => read('Strict')).toThrow(
      `strict decoding error: yaml: unmarshal errors:\n  ${errors}, unknown field "alpha"`,
    );
  });
});

test('accepts a core version after a slash', () => {
  const body = { ...configMap(0), apiVersion: '/v1' };
  expect(decode('application/json', json(body))).toMatchObject({ kind: 'ConfigMap' });
});
