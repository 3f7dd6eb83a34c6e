import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { servedGroupVersions } from '../kinds.ts';
import { encodeGnostic } from './gnostic.ts';
import { openApiV2 } from './v2.ts';
import { openApiV3 } from './v3.ts';

test.each<[string, JsonObject, string]>([
  ['its version', { swagger: '2.0' }, '0a03322e30'],
  ['a title', { info: { title: 'K', version: 'v' } }, '12060a014b120176'],
  ['a requirement', { security: [{ T: [] }] }, '62070a050a01541200'],
  ['a credential', { securityDefinitions: { T: { type: 't' } } }, '6a0c0a0a0a0154120512030a0174'],
  ['a type', { definitions: { a: { type: 'object' } } }, '4a120a100a0161120bb201080a066f626a656374'],
  ['a reference', { definitions: { a: { items: { $ref: 'x' } } } }, '4a0f0a0d0a01611208ba01050a030a0178'],
  [
    'an extension as YAML',
    { definitions: { a: { 'x-a': [1] } } },
    '4a170a150a01611210fa010d0a03782d61120612045b315d0a',
  ],
  [
    'a parameter of the query',
    { paths: { '/a': { parameters: [{ in: 'query', name: 'n', uniqueItems: true }] } } },
    '421d121b0a022f6112154a130a11120f1a0d1205717565727922016ea00101',
  ],
  [
    'a reference to a parameter, and a header',
    { paths: { '/a': { parameters: [{ $ref: '#/parameters/p' }, { in: 'header', name: 'h' }] } } },
    '422f122d0a022f6112274a1212100a0e232f706172616d65746572732f704a110a0f120d0a0b1206686561646572220168',
  ],
  [
    'a shared parameter',
    { parameters: { p: { in: 'query', name: 'q' } } },
    '52150a130a0170120e120c1a0a12057175657279220171',
  ],
  [
    'an answer',
    { paths: { '/a': { get: { operationId: 'x', responses: { '200': { description: 'OK' } } } } } },
    '421e121c0a022f61121612142a01784a0f0a0d0a0332303012060a040a024f4b',
  ],
])('encodes %s', (_, document, hex) => {
  expect(Buffer.from(encodeGnostic(document)).toString('hex')).toBe(hex);
});

test('encodes the whole document', () => {
  const swagger = openApiV2(servedGroupVersions().map(openApiV3), 'v1.36.2');
  const text = Buffer.from(encodeGnostic(swagger)).toString('latin1');
  expect(Object.keys(swagger['definitions'] as JsonObject).filter((name) => !text.includes(name))).toEqual([]);
  expect(Object.keys(swagger['paths'] as JsonObject).filter((path) => !text.includes(path))).toEqual([]);
});
