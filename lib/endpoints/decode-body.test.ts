import { describe, expect, test } from 'vitest';
import { encodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { encodeMessage } from '#lib/api/codec/protobuf/encode.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { builtInScheme } from '#lib/registry/built-in-scheme.ts';
import { MAX_VALUES } from './body-bound.ts';
import { decodeBody } from './decode-body.ts';
import { decodeApplied } from './handlers/apply.ts';
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

/** The object, its metadata and four fields beside the finalizers. */
const OTHERS = 6;

describe('a body of too many values', () => {
  test.each<[string, (value: JsonObject) => unknown]>([
    ['JSON', (value) => decode('application/json', json(value))],
    ['YAML', (value) => decode('application/yaml', yaml(value))],
    ['JSON that says it is YAML', (value) => decode('application/yaml', json(value))],
    ['protobuf', (value) => decode('application/vnd.kubernetes.protobuf', protobuf(value))],
    ['an applied configuration', (value) => decodeApplied(json(value))],
    ['a merge patch', (value) => decodePatch('application/merge-patch+json', json(value), scheme)],
  ])('is refused: %s', (_, read) => {
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
  ])('is read where it has no more: %s', (_, read) => {
    expect(read(configMap(MAX_VALUES - OTHERS))).toEqual(configMap(MAX_VALUES - OTHERS));
  });
});
