import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { json } from './front-door.ts';
import { metadataOf } from './kinds.ts';
import { APPLY, describeMatrix, MERGE } from './matrix.ts';

interface Scaled {
  readonly title: string;
  collection(namespace: string): string;
  readonly object: JsonObject;
}

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const SCALED: readonly Scaled[] = [
  {
    title: 'a deployment',
    collection: (namespace) => `/apis/apps/v1/namespaces/${namespace}/deployments`,
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'x' },
      spec: { replicas: 2, selector: { matchLabels: { a: 'b' } }, template },
    },
  },
  {
    title: 'a custom resource',
    collection: (namespace) => `/apis/example.com/v1/namespaces/${namespace}/crontabs`,
    object: {
      apiVersion: 'example.com/v1',
      kind: 'CronTab',
      metadata: { name: 'x' },
      spec: { replicas: 2, color: 'red' },
    },
  },
];

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const COLUMNS = ['Name', 'Desired', 'Available', 'Age'];

const replicas = (object: JsonObject): unknown => (object['spec'] as JsonObject)['replicas'];
const managers = (object: JsonObject): string[] =>
  (metadataOf(object)['managedFields'] as JsonObject[]).map(({ manager, operation, subresource }) =>
    `${String(manager)} ${String(operation)} ${String(subresource ?? '')}`.trim(),
  );
const scale = (name: string, count: unknown): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name },
  spec: { replicas: count } as JsonObject,
});

describeMatrix('subresources', (api) => {
  describe.each(SCALED)('$title', ({ collection, object }) => {
    test('is read and written as a Scale', async () => {
      const { ok, namespace } = api();
      const path = collection(await namespace());
      await ok('POST', `${path}?fieldManager=maker`, object);
      expect(await ok('GET', `${path}/x/scale`)).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } });
      const put = await ok('PUT', `${path}/x/scale?fieldManager=scaler`, scale('x', 3));
      expect(put).toMatchObject({ kind: 'Scale', spec: { replicas: 3 } });
      expect(metadataOf(put)['managedFields']).toBeUndefined();
      expect(replicas(await ok('PATCH', `${path}/x/scale`, { spec: { replicas: 4 } }, MERGE))).toBe(4);
      expect(replicas(await ok('GET', `${path}/x`))).toBe(4);
    });

    test('is shown as a Table and as metadata', async () => {
      const { ok, namespace } = api();
      const path = collection(await namespace());
      await ok('POST', path, object);
      const table = await ok('GET', `${path}/x/scale`, undefined, { accept: TABLE });
      expect((table['columnDefinitions'] as JsonObject[]).map(({ name }) => name)).toEqual(COLUMNS);
      expect(table).toMatchObject({ kind: 'Table', rows: [{ cells: ['x', 2, 0, expect.any(String)] }] });
      const metadata = await ok('GET', `${path}/x/scale`, undefined, { accept: METADATA });
      expect(metadata).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'x' } });
    });

    test('rejects a Scale of another uid, and reports unknown fields', async () => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      await ok('POST', path, object);
      const other = { ...scale('x', 3), metadata: { name: 'x', uid: 'other' } };
      for (const [query, key] of [
        ['?dryRun=All', 'Key: /'],
        ['', 'Key: /registry/'],
      ] as const) {
        const refused = json(await send('PUT', `${path}/x/scale${query}`, other));
        expect(refused).toMatchObject({ code: 409, message: expect.stringContaining(key) });
      }
      const warned = await send('PATCH', `${path}/x/scale`, { status: { more: 1 } }, MERGE);
      expect(warned.headers['warning']).toContain('unknown field');
    });

    test('makes the scaler the owner of the replicas', async () => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      await ok('PATCH', `${path}/x?fieldManager=owner`, object, APPLY);
      await ok('PUT', `${path}/x/scale?fieldManager=scaler`, scale('x', 3));
      expect(managers(await ok('GET', `${path}/x`))).toEqual(['owner Apply', 'scaler Update scale']);
      const conflict = json(await send('PATCH', `${path}/x?fieldManager=owner`, object, APPLY));
      expect(conflict).toMatchObject({ code: 409 });
      expect(conflict['message']).toContain('conflict with "scaler" with subresource "scale"');
      const applied = `${path}/x/scale?fieldManager=applier`;
      expect(json(await send('PATCH', applied, scale('x', 5), APPLY))).toMatchObject({ code: 409 });
      expect(replicas(await ok('PATCH', `${applied}&force=true`, scale('x', 5), APPLY))).toBe(5);
    });

    test.each([
      ['PUT', scale('x', -1), {}, 422],
      ['PUT', scale('y', 1), {}, 400],
      ['PUT', scale('x', 'many'), {}, 400],
      ['PATCH', { spec: { replicas: 'many' } }, MERGE, 422],
    ])('refuses %s of %j', async (method, body, headers, code) => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      await ok('POST', path, object);
      expect(json(await send(method, `${path}/x/scale`, body, headers))).toMatchObject({ code });
    });

    test('splits its status from its spec', async () => {
      const { ok, namespace } = api();
      const path = collection(await namespace());
      const made = await ok('POST', path, { ...object, status: { replicas: 9 } });
      expect((made['status'] as JsonObject | undefined)?.['replicas']).toBeUndefined();
      const both = { spec: { replicas: 9 }, status: { replicas: 1 } };
      const written = await ok('PATCH', `${path}/x/status`, both, MERGE);
      expect([replicas(written), (written['status'] as JsonObject)['replicas']]).toEqual([2, 1]);
      expect(metadataOf(written)['generation']).toBe(1);
      const main = await ok('PATCH', `${path}/x`, { spec: { replicas: 9 }, status: { replicas: 2 } }, MERGE);
      expect([replicas(main), (main['status'] as JsonObject)['replicas']]).toEqual([9, 1]);
      expect(metadataOf(main)['generation']).toBe(2);
    });
  });
});
