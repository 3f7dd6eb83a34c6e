import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aDefinition } from '#lib/server/apiextensions/a-definition.ts';
import { json, type Sent } from './front-door.ts';
import { inProcess } from './in-process.ts';
import { APPLY, define, JSON_PATCH, MERGE, STRATEGIC } from './matrix.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const TABS = '/apis/example.com/v1/namespaces/default/crontabs';
const YAML = { 'content-type': 'application/yaml' };

let api: Awaited<ReturnType<typeof inProcess>>;

/** The status code of the response, and the message of a Status or the spec of another object. */
async function answer(method: string, path: string, body: string, headers: Sent['headers'] = {}): Promise<unknown[]> {
  const answered = await api.send({ method, path, body, headers });
  const object = json(answered);
  return [answered.status, object['kind'] === 'Status' ? object['message'] : object['spec']];
}

async function ok(method: string, path: string, body?: JsonObject, headers: Sent['headers'] = {}): Promise<JsonObject> {
  const answered = await api.send({ method, path, headers, ...(body === undefined ? {} : { body }) });
  expect(answered.status, json(answered)['message'] as string).toBeLessThan(300);
  return json(answered);
}

beforeAll(async () => {
  api = await inProcess();
  await ok('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  await ok('POST', SERVICES, { metadata: { name: 's' }, spec: { ports: [{ name: 'a', port: 80, targetPort: 80 }] } });
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  await ok('POST', '/apis/apps/v1/namespaces/default/deployments', { metadata: { name: 'd' }, spec });
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const integer = { type: 'integer' };
  const ruled = { ...integer, 'x-kubernetes-validations': [{ rule: 'self > 0' }] };
  const properties = { size: integer, replicas: integer, ruled, any: { 'x-kubernetes-preserve-unknown-fields': true } };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  await define({ ok }, aDefinition({}, { schema: { openAPIV3Schema }, subresources: { scale } }));
});
afterAll(() => api.close());

const service = (port: string, more = ''): string =>
  `{"apiVersion":"v1","kind":"Service","metadata":{"name":"new"},"spec":{"ports":[{"port":${port}${more}}]}}`;
const noPort = (literal: string): string =>
  `json: cannot unmarshal number ${literal} into Go struct field ServicePort.spec.ports.port of type int32`;
const cannot = (why: string): string => `Service in version "v1" cannot be handled as a Service: ${why}`;

describe('a whole number that a built-in kind gets as a float', () => {
  test.each(['80.0', '8e1', '80.50'])('%s is refused when the object is created', async (port) => {
    expect(await answer('POST', `${SERVICES}?dryRun=All`, service(port))).toEqual([400, cannot(noPort(port))]);
  });

  test('is refused as an int-or-string', async () => {
    const why =
      'json: cannot unmarshal number 8e1 into Go struct field ServicePort.spec.ports.targetPort of type int32';
    expect(await answer('POST', `${SERVICES}?dryRun=All`, service('80', ',"targetPort":8e1'))).toEqual([
      400,
      cannot(why),
    ]);
  });

  test('is accepted in YAML, which upstream writes as JSON first', async () => {
    const yaml = 'apiVersion: v1\nkind: Service\nmetadata: {name: new}\nspec:\n  ports: [{port: 80.0}]\n';
    expect(await answer('POST', `${SERVICES}?dryRun=All`, yaml, YAML)).toMatchObject([201, { ports: [{ port: 80 }] }]);
    expect(await answer('POST', `${SERVICES}?dryRun=All`, service('80.0'), YAML)).toMatchObject([201, {}]);
  });

  test.each<[string, string, Sent['headers']]>([
    ['a merge patch', '{"spec":{"ports":[{"name":"a","port":80.0}]}}', MERGE],
    ['a JSON patch', '[{"op":"replace","path":"/spec/ports/0/port","value":80.0}]', JSON_PATCH],
  ])('is refused in %s, with the document as it was written', async (_, patch, headers) => {
    const [status, message] = await answer('PATCH', `${SERVICES}/s?dryRun=All`, patch, headers);
    expect(status).toBe(422);
    expect(message).toContain(noPort('80.0'));
    expect(message).toContain('\\"port\\":80.0');
  });

  test('is another value to the test of a JSON patch', async () => {
    const check = (value: string): string => `[{"op":"test","path":"/spec/ports/0/port","value":${value}}]`;
    const path = `${SERVICES}/s`;
    expect(await answer('PATCH', path, check('80'), JSON_PATCH)).toMatchObject([200, {}]);
    expect(await answer('PATCH', path, check('80.0'), JSON_PATCH)).toEqual([
      422,
      'the server rejected our request due to an error in our request',
    ]);
  });

  test.each<[string, string, Sent['headers']]>([
    ['a strategic merge patch', '{"spec":{"ports":[{"port":80.0,"targetPort":8e1}]}}', STRATEGIC],
    [
      'an apply',
      '{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":80.0,"targetPort":8e1}]}}',
      APPLY,
    ],
  ])('is an integer in %s', async (_, patch, headers) => {
    const path = `${SERVICES}/s?dryRun=All&fieldManager=m${headers === APPLY ? '&force=true' : ''}`;
    expect(await answer('PATCH', path, patch, headers)).toMatchObject([200, { ports: [{ port: 80, targetPort: 80 }] }]);
  });

  test('is refused in a Scale and in DeleteOptions', async () => {
    const path = '/apis/apps/v1/namespaces/default/deployments/d';
    const why = 'number 2.0 into Go struct field ScaleSpec.spec.replicas of type int32';
    const scale = '{"metadata":{"name":"d"},"spec":{"replicas":2.0}}';
    expect((await answer('PUT', `${path}/scale`, scale))[1]).toContain(why);
    expect(await answer('PATCH', `${path}/scale`, '{"spec":{"replicas":2.0}}', MERGE)).toMatchObject([
      422,
      expect.stringContaining(why),
    ]);
    expect(await answer('DELETE', path, '{"gracePeriodSeconds":3.0}')).toEqual([
      400,
      'json: cannot unmarshal number 3.0 into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ]);
  });
});

describe('a whole number that a custom resource gets as a float', () => {
  const tab = (spec: string): string =>
    `{"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"t"},"spec":${spec}}`;
  const create = (spec: string): Promise<unknown[]> => answer('POST', `${TABS}?dryRun=All`, tab(spec));
  const wrong =
    'CronTab.example.com "t" is invalid: .spec.replicas: Invalid value: 0: .spec.replicas accessor error: 3 is of the type float64, expected int64';

  test('is an integer to its schema, and is written as one', async () => {
    const answered = await api.send({
      method: 'POST',
      path: `${TABS}?dryRun=All`,
      body: tab('{"size":3.0,"any":1e2}'),
    });
    expect(answered.status).toBe(201);
    expect(Buffer.from(answered.bytes).toString()).toContain('"spec":{"size":3,"any":100}');
  });

  test('is rejected as the replicas of its scale', async () => {
    expect(await create('{"replicas":3.0}')).toEqual([422, wrong]);
    expect(await create('{"replicas":3}')).toEqual([201, { replicas: 3 }]);
  });

  test('is rejected as an integer by rules', async () => {
    const [status, message] = await create('{"ruled":3.0}');
    expect(status).toBe(422);
    expect(message).toContain('invalid data, expected int, got float64 evaluating rule: self > 0');
  });

  test('keeps its type in merge and JSON patches, and loses it in an apply', async () => {
    await ok('POST', TABS, JSON.parse(tab('{"replicas":1}')) as JsonObject);
    const patch = (body: string, headers: Sent['headers'], query = ''): Promise<unknown[]> =>
      answer('PATCH', `${TABS}/t?dryRun=All${query}`, body, headers);
    expect(await patch('{"spec":{"replicas":3.0}}', MERGE)).toEqual([422, wrong]);
    expect(await patch('[{"op":"replace","path":"/spec/replicas","value":3.0}]', JSON_PATCH)).toEqual([422, wrong]);
    expect(await patch(tab('{"replicas":3.0}'), APPLY, '&fieldManager=m&force=true')).toEqual([200, { replicas: 3 }]);
  });
});
