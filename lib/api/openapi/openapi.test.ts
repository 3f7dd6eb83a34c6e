import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { skipUnless } from '#test/support/skip.ts';
import { fixtures } from '../fixtures.conformance.ts';
import { servedGroupVersions } from '../kinds.ts';
import { referencesIn } from './paths.ts';
import { openApiV2 } from './v2.ts';
import { openApiV3, openApiV3Root } from './v3.ts';

const pathOf = (groupVersion: { group: string; version: string }): string =>
  `${groupVersion.group === '' ? 'api' : 'apis'}/${apiVersion(groupVersion)}`;

const groups = new Set(servedGroupVersions().flatMap(({ group }) => (group === '' ? [] : [`apis/${group}`])));

describe(
  'version 3 equals the document of a real server',
  skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'),
  () => {
    const published = (path: string): Json =>
      JSON.parse(
        readFileSync(
          join(fixtures ?? '', 'data', 'kubernetes-openapi-v3', `${path.replaceAll('/', '__')}_openapi.json`),
          'utf8',
        ),
      ) as Json;

    test.each(servedGroupVersions().map((it) => [pathOf(it), it] as const))('describes %s', (path, groupVersion) => {
      expect(openApiV3(groupVersion)).toEqual(published(path));
    });

    test.each(['api', 'apis', 'version', ...groups])('describes the root %s', (path) => {
      expect(openApiV3Root(path)).toEqual(published(path));
    });
  },
);

test('returns undefined for paths without a document', () => {
  expect(openApiV3Root('apis/a/b')).toBeUndefined();
  expect(openApiV3Root('logs')).toBeUndefined();
});

describe('version 2', () => {
  const swagger = openApiV2(servedGroupVersions().map(openApiV3), 'v1.36.2');
  const definitions = objectAt(swagger, 'definitions') ?? {};
  const schema = (name: string): JsonObject => objectAt(definitions, name) ?? {};

  test('contains a definition for every reference', () => {
    const names = [...referencesIn(swagger)];
    expect(names.length).toBeGreaterThan(500);
    expect(names.filter((name) => !isObject(definitions[name]))).toEqual([]);
    expect(JSON.stringify(swagger)).not.toContain('#/components/');
  });

  test('keeps what patches and apply need', () => {
    expect(objectAt(schema('io.k8s.api.core.v1.PodSpec'), 'properties')?.['containers']).toEqual({
      type: 'array',
      items: { $ref: '#/definitions/io.k8s.api.core.v1.Container' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    });
  });

  test('contains neither alternatives nor defaults', () => {
    expect(schema('io.k8s.apimachinery.pkg.util.intstr.IntOrString')).toEqual({
      type: 'string',
      format: 'int-or-string',
    });
    expect(objectAt(schema('io.k8s.api.core.v1.Pod'), 'properties')?.['spec']).toEqual({
      $ref: '#/definitions/io.k8s.api.core.v1.PodSpec',
    });
  });

  test('lists all groups for a type of every group', () => {
    const kinds = schema('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions')['x-kubernetes-group-version-kind'];
    expect(kinds).toHaveLength(
      servedGroupVersions().filter((it) => JSON.stringify(openApiV3(it)).includes('DeleteOptions')).length,
    );
  });

  test('describes an operation', () => {
    const item = objectAt(objectAt(swagger, 'paths'), '/api/v1/namespaces/{namespace}/pods');
    expect(item?.['post']).toEqual({
      operationId: 'createCoreV1NamespacedPod',
      tags: ['core_v1'],
      consumes: ['*/*'],
      produces: ['application/cbor', 'application/json', 'application/vnd.kubernetes.protobuf', 'application/yaml'],
      schemes: ['https'],
      parameters: [
        { in: 'query', name: 'dryRun', type: 'string', uniqueItems: true },
        { in: 'query', name: 'fieldManager', type: 'string', uniqueItems: true },
        { in: 'query', name: 'fieldValidation', type: 'string', uniqueItems: true },
        { in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
      ],
      responses: {
        '200': { description: 'OK', schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
        '201': { description: 'Created', schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
        '202': { description: 'Accepted', schema: { $ref: '#/definitions/io.k8s.api.core.v1.Pod' } },
        '401': { description: 'Unauthorized' },
      },
      'x-kubernetes-action': 'post',
      'x-kubernetes-group-version-kind': { group: '', kind: 'Pod', version: 'v1' },
    });
  });
});
