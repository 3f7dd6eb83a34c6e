import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { DEFINITIONS, define, describeMatrix, JSON_PATCH, MERGE } from './matrix.ts';

const RULE = { rule: 'self.size < 5', message: 'too large' };
const WARNING = '299 - "spec: Invalid value: too large"';

function aBox(): JsonObject {
  const spec = { type: 'object', properties: { size: { type: 'integer' }, colour: { type: 'string' } } };
  const status = { type: 'object', properties: { full: { type: 'boolean' } } };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
  const names = { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' };
  const definition = aDefinition({ group: 'ratchet.test', names }, { schema, subresources: { status: {} } });
  return { ...definition, metadata: { name: 'boxes.ratchet.test' } };
}

describeMatrix('a rule that came later', (api) => {
  let path = '';
  beforeAll(async () => {
    const { ok, namespace } = api();
    await define(api(), aBox());
    path = `/apis/ratchet.test/v1/namespaces/${await namespace()}/boxes`;
    await ok('POST', path, {
      apiVersion: 'ratchet.test/v1',
      kind: 'Box',
      metadata: { name: 'big' },
      spec: { size: 9 },
    });
    const at = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations';
    const patch = JSON.stringify([{ op: 'add', path: at, value: [RULE] }]);
    await ok('PATCH', `${DEFINITIONS}/boxes.ratchet.test`, patch, JSON_PATCH);
  });

  test.each([
    ['leaves what an update does not touch, and warns', '', { metadata: { labels: { a: 'b' } } }, 200, WARNING],
    ['warns of it when the status is written', '/status', { status: { full: true } }, 200, WARNING],
    ['refuses what an update touches', '', { spec: { colour: 'red' } }, 422, undefined],
    ['says nothing where it holds', '', { spec: { size: 4 } }, 200, undefined],
  ])('ratchets validation: %s', async (_, subresource, patch, status, warning) => {
    const answer = await api().send('PATCH', `${path}/big${subresource}`, patch, MERGE);
    expect([answer.status, answer.headers['warning']]).toEqual([status, warning]);
  });
});
