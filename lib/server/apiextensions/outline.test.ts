import { expect, test } from 'vitest';
import { encodeObject, parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { aDefinition } from './a-definition.ts';
import { definitionOutline, parseOutline } from './outline.ts';

const withSchemas = (...schemas: (JsonObject | null)[]): JsonObject => {
  const crd = aDefinition();
  const versions = schemas.map((openAPIV3Schema, i) => ({ name: `v${i}`, served: true, schema: { openAPIV3Schema } }));
  const annotations = { last: JSON.stringify({ schema: { openAPIV3Schema: { type: 'string' } } }), end: '\\' };
  return { ...crd, metadata: { name: 'x', annotations }, spec: { ...objectAt(crd, 'spec'), versions } };
};

const nested = { type: 'object', properties: { openAPIV3Schema: { type: 'object', description: 'a "} \\' } } };

test.each<[string, JsonObject]>([
  ['none', withSchemas()],
  ['null', withSchemas(null, { type: 'object' })],
  ['several', withSchemas({ type: 'object' }, {}, { type: 'string', default: '"openAPIV3Schema":{' })],
  ['one within another', withSchemas(nested, { default: { openAPIV3Schema: [{ a: '{{' }] } })],
])('keeps everything except the schemas: %s', (_, crd) => {
  const stored = encodeObject(crd);
  const expected = parseStored(stored);
  const versions = arrayAt(objectAt(isObject(expected) ? expected : {}, 'spec'), 'versions').filter(isObject);
  for (const version of versions) version['schema'] = { openAPIV3Schema: null };
  expect(parseOutline(stored)).toEqual(expected);
});

const KEY = 'main/apiextensions.k8s.io/customresourcedefinitions//crontabs.example.com';

test('keeps the fields that identify a definition, and drops its schemas', () => {
  const crd = withSchemas({ type: 'object' });
  const metadata = { name: 'x', resourceVersion: '7', uid: 'u', labels: { a: 'b' }, managedFields: [{ manager: 'm' }] };
  const conditions = [{ type: 'Established', status: 'True', message: 'a text' }];
  const status = { acceptedNames: { kind: 'CronTab' }, conditions, storedVersions: ['v0'] };
  const given = { ...crd, metadata: { ...metadata, annotations: { a: 'b' } }, status };
  const outline = definitionOutline(KEY, encodeObject(given));
  expect(parseStored(outline ?? Buffer.from('null'))).toEqual({
    metadata: { name: 'x', resourceVersion: '7', uid: 'u', labels: { a: 'b' } },
    spec: { group: 'example.com', scope: 'Namespaced', versions: [{ name: 'v0', served: true }] },
    status: { acceptedNames: { kind: 'CronTab' }, conditions: [{ type: 'Established', status: 'True' }] },
  });
});

test.each([
  ['another kind', KEY.replace('customresourcedefinitions', 'things'), encodeObject(aDefinition())],
  ['an encrypted definition', KEY, Buffer.from('{"resourceVersion":"7"}k8s:enc:aesgcm:v1:k:x')],
])('returns no outline of %s', (_, key, body) => {
  expect(definitionOutline(key, body)).toBeUndefined();
});
