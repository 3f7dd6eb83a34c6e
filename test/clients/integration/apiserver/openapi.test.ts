import { expect, test } from 'vitest';
import { referencesIn } from '#lib/api/openapi/paths.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { type Api, DEFINITIONS, define, describeMatrix, MERGE } from './matrix.ts';

const GNOSTIC = { accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf' };

/** Defines a kind of another group, in addition to the CronTabs of example.com. */
async function defineOthers(api: Api): Promise<void> {
  const names = { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList' };
  const definition = aDefinition({ group: 'other.example', names });
  await define(api, { ...definition, metadata: { name: 'others.other.example' } });
}

const swagger = (api: Api): Promise<JsonObject> => api.ok('GET', '/openapi/v2');
const definitionOf = async (api: Api, name: string): Promise<JsonObject | undefined> =>
  objectAt(objectAt(await swagger(api), 'definitions'), name);
const tagOf = async (api: Api): Promise<string | undefined> => (await api.send('GET', '/openapi/v2')).headers['etag'];
const urlOf = async (api: Api, path: string): Promise<unknown> =>
  objectAt(objectAt(await api.ok('GET', '/openapi/v3'), 'paths'), path)?.['serverRelativeURL'];

describeMatrix('OpenAPI', (api) => {
  test('version 2 is one document of built-in and custom kinds', async () => {
    const document = await swagger(api());
    const definitions = objectAt(document, 'definitions') ?? {};
    expect(Object.keys(document).sort()).toEqual(
      ['definitions', 'info', 'paths', 'security', 'securityDefinitions', 'swagger'].sort(),
    );
    expect([...referencesIn(document)].filter((name) => !Object.hasOwn(definitions, name))).toEqual([]);
    expect(objectAt(document, 'paths')?.['/apis/example.com/v1/crontabs']).toBeDefined();
    expect(objectAt(document, 'paths')?.['/api/v1/pods']).toBeDefined();
    const options = objectAt(definitions, 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions') ?? {};
    const kind = { group: 'example.com', version: 'v1', kind: 'DeleteOptions' };
    expect(options['x-kubernetes-group-version-kind']).toContainEqual(kind);
  });

  test('version 2 follows every change of a definition', async () => {
    const name = 'example.other.v1.Other';
    const before = await tagOf(api());
    await defineOthers(api());
    const defined = await tagOf(api());
    expect(await definitionOf(api(), name)).toBeDefined();
    expect(new Set([before, defined, await tagOf(api())]).size).toBe(2);
    const versions = [{ op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/description', value: 'changed' }];
    const patch = { 'content-type': 'application/json-patch+json' };
    await api().ok('PATCH', `${DEFINITIONS}/others.other.example`, JSON.stringify(versions), patch);
    expect((await definitionOf(api(), name))?.['description']).toBe('changed');
    expect(await tagOf(api())).not.toBe(defined);
  });

  test('version 2 is protobuf for older clients', async () => {
    const { status, bytes } = await api().send('GET', '/openapi/v2', undefined, GNOSTIC);
    expect(status).toBe(200);
    const text = Buffer.from(bytes).toString('latin1');
    for (const name of ['com.example.v1.CronTab', 'io.k8s.api.core.v1.Pod', '/apis/example.com/v1/crontabs']) {
      expect(text).toContain(name);
    }
  });

  test('version 3 of a group stays the same while others change', async () => {
    const [crontabs, others] = ['apis/example.com/v1', 'apis/other.example/v1'];
    const before = [await urlOf(api(), crontabs), await urlOf(api(), others)];
    const change = { spec: { names: { kind: 'Other', plural: 'others', shortNames: ['ot'] } } };
    await api().ok('PATCH', `${DEFINITIONS}/others.other.example`, change, MERGE);
    expect(await urlOf(api(), crontabs)).toBe(before[0]);
    expect(await urlOf(api(), others)).not.toBe(before[1]);
    const document = await api().ok('GET', String(before[0]));
    expect(Object.keys(objectAt(objectAt(document, 'components'), 'schemas') ?? {})).toContain(
      'com.example.v1.CronTab',
    );
  });
});
