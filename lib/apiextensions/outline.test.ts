import { expect, test } from 'vitest';
import { encodeObject, parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from './a-definition.ts';
import { parseOutline } from './outline.ts';

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
])('all but the schemas is there: %s', (_, crd) => {
  const stored = encodeObject(crd);
  const expected = parseStored(stored);
  const versions = arrayAt(objectAt(isObject(expected) ? expected : {}, 'spec'), 'versions').filter(isObject);
  for (const version of versions) version['schema'] = { openAPIV3Schema: null };
  expect(parseOutline(stored)).toEqual(expected);
});
