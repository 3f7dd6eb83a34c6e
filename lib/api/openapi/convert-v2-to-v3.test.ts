import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { convertV2ToV3 } from './convert-v2-to-v3.ts';
import { readSpec } from './spec.ts';

const document: JsonObject = {
  paths: {
    '/apis/a/v1/things': {
      parameters: [{ $ref: '#/parameters/pretty' }, { name: 'namespace', in: 'path', required: true, type: 'string' }],
      post: {
        operationId: 'create',
        consumes: ['application/json', 'application/yaml'],
        produces: ['application/json'],
        schemes: ['https'],
        parameters: [
          { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
          { name: 'dryRun', in: 'query', type: 'string', uniqueItems: true, description: 'd' },
        ],
        responses: {
          '200': { description: 'OK', schema: { $ref: '#/definitions/Thing' } },
          '401': { description: 'Unauthorized' },
        },
        'x-kubernetes-action': 'post',
      },
    },
  },
  definitions: {
    Thing: {
      properties: {
        other: { $ref: '#/definitions/Thing', description: 'another' },
        list: { items: { $ref: '#/definitions/Thing' } },
        map: { additionalProperties: { $ref: '#/definitions/Thing' } },
        any: { additionalProperties: true },
      },
    },
  },
  parameters: { pretty: { name: 'pretty', in: 'query', type: 'string' } },
};

const thing = { $ref: '#/components/schemas/Thing' };

test('keeps all information of v2 in v3', () => {
  expect(convertV2ToV3(readSpec(document), 'T')).toEqual({
    openapi: '3.0.0',
    info: { title: 'T', version: 'unversioned' },
    paths: {
      '/apis/a/v1/things': {
        parameters: [
          { $ref: '#/components/parameters/pretty' },
          { name: 'namespace', in: 'path', required: true, schema: { type: 'string' } },
        ],
        post: {
          operationId: 'create',
          parameters: [
            { name: 'dryRun', in: 'query', description: 'd', schema: { type: 'string', uniqueItems: true } },
          ],
          requestBody: {
            content: { 'application/json': { schema: thing }, 'application/yaml': { schema: thing } },
          },
          responses: {
            '200': { description: 'OK', content: { 'application/json': { schema: thing } } },
            '401': { description: 'Unauthorized' },
          },
          'x-kubernetes-action': 'post',
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          properties: {
            other: { description: 'another', allOf: [thing] },
            list: { items: thing },
            map: { additionalProperties: thing },
            any: { additionalProperties: true },
          },
        },
      },
      parameters: { pretty: { name: 'pretty', in: 'query', schema: { type: 'string' } } },
    },
  });
});
