import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import {
  adding,
  aHook,
  aMap,
  answers,
  asked,
  CONFIG_MAPS,
  create,
  GROUP,
  HERE,
  made,
  names,
  patching,
  register,
  registered,
  request,
  said,
  useHookedServer,
} from '#test/support/hooked-server.ts';

useHookedServer();

describe('several mutating webhooks', () => {
  test('see the changes of earlier ones, in the order of configuration names', async () => {
    answers.set('first', adding('first'));
    answers.set('second', adding('second'));
    await register('mutating', 'b', aHook('second'));
    await register('mutating', 'a', aHook('first'));
    const { body } = await create(aMap('ordered'));
    expect(body['data']).toEqual({ a: 'b', first: 'yes', second: 'yes' });
    expect(asked.map(({ request: { object } }) => isObject(object) && object['data'])).toEqual([
      { a: 'b' },
      { a: 'b', first: 'yes' },
    ]);
  });

  test.each([
    { policy: 'Never', times: 1 },
    { policy: 'IfNeeded', times: 2 },
  ])('are called under reinvocation $policy $times times after a later change', async ({ policy, times }) => {
    answers.set('late', adding('late'));
    await register('mutating', 'm', aHook('early', { reinvocationPolicy: policy }), aHook('late'));
    await create(aMap(`again-${times}`));
    expect(names().filter((name) => name === 'early')).toHaveLength(times);
    expect(names().filter((name) => name === 'late')).toHaveLength(1);
  });

  test('cannot corrupt managedFields, and cause a warning', async () => {
    for (const [value, why] of [
      [[{ manager: 'x', apiVersion: 'v1' }], 'operation must be `Apply` or `Update`'],
      [[{ manager: 'x', operation: 'Update', fieldsType: 'FieldsV1' }], 'apiVersion must not be empty'],
      [[{ manager: 'x', operation: 'Update', apiVersion: 'v1' }], 'missing fieldsType in managed fields entry 0'],
    ] as const) {
      answers.set(
        'garbling',
        patching({ op: 'add', path: '/metadata/managedFields', value: value as unknown as Json }),
      );
      await register('mutating', 'm', aHook('garbling'));
      const { body, warnings } = await create(aMap('garbled'), '?dryRun=All');
      expect(objectAt(body, 'metadata')?.['managedFields']).toMatchObject([{ operation: 'Update', apiVersion: 'v1' }]);
      expect(warnings.join()).toContain(
        `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${why}`,
      );
      await request('DELETE', `${GROUP}/mutatingwebhookconfigurations/m`);
    }
  });

  test('are not called again for their own change, nor without a change', async () => {
    answers.set('same', patching({ op: 'replace', path: '/data/a', value: 'b' }));
    await register('mutating', 'm', aHook('same', { reinvocationPolicy: 'IfNeeded' }));
    await create(aMap('same'));
    expect(names()).toEqual(['same']);
  });

  test.each([
    [
      'no JSON',
      { patch: Buffer.from('{').toString('base64'), patchType: 'JSONPatch' },
      /received undecodable patch in webhook response: /,
    ],
    [
      'no type',
      { patch: 'W10=' },
      /received invalid webhook response: webhook returned response.patch but not response.patchType/,
    ],
    [
      'an unknown type',
      { patch: Buffer.from('[{"op":"remove","path":"/data"}]').toString('base64'), patchType: 'Merge' },
      /unsupported patch type "Merge"/,
    ],
  ])('fail if a patch is %s', async (_name, response, message) => {
    answers.set('wrong', () => ({ allowed: true, ...response }));
    await register('mutating', 'm', aHook('wrong'));
    const answer = await create(aMap('never'));
    expect(answer.status).toBe(500);
    expect(said(answer)).toMatch(message);
    expect(said(answer)).toContain('Internal error occurred: failed calling webhook "wrong.example.com"');
  });

  test.each<[string, JsonObject, string]>([
    [
      'to another namespace',
      { op: 'replace', path: '/metadata/namespace', value: 'kube-system' },
      '400 the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'to another name, of what is there',
      { op: 'replace', path: '/metadata/name', value: 'other' },
      '422 ConfigMap "other" is invalid: metadata.name: Invalid value: "other": field is immutable',
    ],
    [
      'to another identity, of what is there',
      { op: 'replace', path: '/metadata/uid', value: 'other' },
      '422 ConfigMap "moved" is invalid: metadata.uid: Invalid value: "other": field is immutable',
    ],
  ])('cannot move an object %s with a patch', async (_name, moves, expected) => {
    await create(aMap('moved'));
    answers.set('moving', patching(moves));
    await register('mutating', 'm', aHook('moving'));
    expect(said(await request('PATCH', `${HERE}/configmaps/moved`, { data: { x: 'y' } }))).toBe(expected);
  });

  test.each<[string, string, string]>([
    ['Secret', 'v1', '500 converting (v1.Secret) to (core.ConfigMap): unknown conversion'],
    [
      'Nothing',
      'v1',
      '500 Internal error occurred: no kind "Nothing" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      'ConfigMap',
      'v2',
      '500 Internal error occurred: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
  ])('cannot turn the object into %s of version %s with a patch', async (kind, apiVersion, expected) => {
    answers.set(
      'turning',
      patching(
        { op: 'replace', path: '/kind', value: kind },
        { op: 'replace', path: '/apiVersion', value: apiVersion },
      ),
    );
    await register('mutating', 'm', aHook('turning'));
    expect(said(await create(aMap('turned')))).toBe(expected);
    expect((await request('GET', `${HERE}/configmaps/turned`)).status).toBe(404);
  });

  test('cannot remove the kind with a patch', async () => {
    answers.set('bare', patching({ op: 'remove', path: '/kind' }, { op: 'remove', path: '/apiVersion' }));
    await register('mutating', 'm', aHook('bare'));
    expect((await create(aMap('bare'))).body['kind']).toBe('ConfigMap');
  });

  test('cannot turn a whole float into an integer with a patch', async () => {
    const patch = '[{"op":"add","path":"/metadata/generation","value":3.0}]';
    const encoded = Buffer.from(patch).toString('base64');
    answers.set('floating', () => ({ allowed: true, patchType: 'JSONPatch', patch: encoded }));
    await register('mutating', 'm', aHook('floating'));
    expect(said(await create(aMap('floated')))).toBe(
      '500 Internal error occurred: json: cannot unmarshal number 3.0 into Go struct field ObjectMeta.metadata.generation of type int64',
    );
  });

  test('may not patch a deleted object', async () => {
    await create(aMap('kept'));
    answers.set('eager', adding('x'));
    await register('mutating', 'm', aHook('eager'));
    expect(said(await request('DELETE', `${HERE}/configmaps/kept`))).toBe(
      '500 Internal error occurred: admission webhook "eager.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });

  test('run before a name is generated, unlike validating webhooks', async () => {
    await register('mutating', 'm', aHook('unnamed'));
    await register('validating', 'v', aHook('named'));
    const created = await create({ metadata: { generateName: 'x-' } });
    expect(asked.map(({ request: { name } }) => name)).toEqual([undefined, nameOf(created.body)]);
  });
});

describe('several validating webhooks', () => {
  test.each<[string, JsonObject, string]>([
    ['no explanation', {}, '400 admission webhook "judge.example.com" denied the request without explanation'],
    ['a message', { status: { message: 'no!' } }, '400 admission webhook "judge.example.com" denied the request: no!'],
    [
      'a reason',
      { status: { reason: 'Teapot' } },
      '400 admission webhook "judge.example.com" denied the request: Teapot',
    ],
    [
      'a code that no answer has',
      { status: { code: 1000, message: 'no!' } },
      '400 admission webhook "judge.example.com" denied the request: no!',
    ],
    [
      'a code of what went well',
      { status: { code: 204, message: 'no!' } },
      '400 admission webhook "judge.example.com" denied the request: no!',
    ],
    [
      'a code',
      { status: { code: 418, message: 'no' } },
      '418 admission webhook "judge.example.com" denied the request: no',
    ],
    [
      'a success',
      { status: { code: 200, message: 'no' } },
      '400 admission webhook "judge.example.com" denied the request: no',
    ],
  ])('reject with %s', async (_name, more, expected) => {
    answers.set('judge', () => ({ allowed: false, ...more }));
    await register('validating', 'v', aHook('judge'));
    expect(said(await create(aMap('refused')))).toBe(expected);
  });

  test('are all called, and the first in order determines the error', async () => {
    for (const name of ['one', 'two']) answers.set(name, () => ({ allowed: false, status: { message: name } }));
    await register('validating', 'v', aHook('one'), aHook('two'));
    expect(said(await create(aMap('refused')))).toContain('"one.example.com" denied the request: one');
    expect(names()).toEqual(['one', 'two']);
  });

  test('add warnings for the client', async () => {
    const warnings = ['mind the gap', 'two\nlines', 'X: 1\0\r\nX-Evil: 1', '„Lücke“'];
    answers.set('kind', () => ({ allowed: true, warnings }));
    await register('validating', 'v', aHook('kind'));
    const answer = await create(aMap('warned'));
    const told = Buffer.from(answer.warnings.join(), 'latin1').toString();
    expect([answer.status, told]).toEqual([201, '299 - "mind the gap", 299 - "„Lücke“"']);
  });

  test.each<[string, string, string, JsonObject]>([
    ['an update', 'PUT', '?fieldManager=m', { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'm' }],
    ['a dry update', 'PUT', '?dryRun=All', { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'] }],
  ])('see the options of a create for %s that creates', async (_name, method, query, options) => {
    const leases = { ...CONFIG_MAPS, apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
    await register('validating', 'v', aHook('judge', { rules: [leases] }));
    const path = '/apis/coordination.k8s.io/v1/namespaces/here/leases/l';
    expect((await request(method, path + query, { metadata: { name: 'l' }, spec: {} })).status).toBe(201);
    expect(asked.map(({ request: { operation, name, options: seen } }) => [operation, name, seen])).toEqual([
      ['CREATE', 'l', options],
    ]);
    if (!query.includes('dryRun')) {
      await request('PATCH', `${path}?fieldManager=m`, { spec: { holderIdentity: 'x' } });
      expect(asked[1]?.request['options']).toEqual({ ...options, kind: 'UpdateOptions' });
    }
    await request('DELETE', path);
  });

  test('see no name for a deletion of a collection', async () => {
    for (const name of ['many-1', 'many-2']) await create({ ...aMap(name), metadata: { name, labels: { many: 'y' } } });
    await register('validating', 'v', aHook('judge'));
    expect((await request('DELETE', `${HERE}/configmaps?labelSelector=many%3Dy`)).status).toBe(200);
    expect(asked.map(({ request: { operation, name } }) => [operation, name])).toEqual([
      ['DELETE', undefined],
      ['DELETE', undefined],
    ]);
  });

  test('see the old object and the options of a deletion', async () => {
    await create(aMap('shown'));
    await register('validating', 'v', aHook('judge'));
    await request('DELETE', `${HERE}/configmaps/shown`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
    });
    const [{ request: seen } = { request: {} }] = asked;
    expect(seen).toMatchObject({
      operation: 'DELETE',
      name: 'shown',
      object: null,
      oldObject: { metadata: { name: 'shown' }, data: { a: 'b' } },
      options: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', gracePeriodSeconds: 0 },
    });
  });
});

describe('selection of webhooks', () => {
  test.each<[string, JsonObject, boolean]>([
    ['another operation', { rules: [{ ...CONFIG_MAPS, operations: ['UPDATE'] }] }, false],
    ['every resource', { rules: [{ ...CONFIG_MAPS, apiGroups: ['*'], resources: ['*'] }] }, true],
    ['only subresources', { rules: [{ ...CONFIG_MAPS, resources: ['configmaps/status'] }] }, false],
    ['the scope of the cluster', { rules: [{ ...CONFIG_MAPS, scope: 'Cluster' }] }, false],
    ['the scope of namespaces', { rules: [{ ...CONFIG_MAPS, scope: 'Namespaced' }] }, true],
    ['this namespace', { namespaceSelector: { matchLabels: { team: 'a' } } }, true],
    ['another namespace', { namespaceSelector: { matchLabels: { team: 'b' } } }, false],
    ['such objects', { objectSelector: { matchLabels: { app: 'x' } } }, true],
    ['other objects', { objectSelector: { matchLabels: { app: 'y' } } }, false],
    [
      'a condition that holds',
      { matchConditions: [{ name: 'c', expression: 'object.data.a == "b" && request.userInfo.username == "admin"' }] },
      true,
    ],
    ['a condition that does not', { matchConditions: [{ name: 'c', expression: '!has(object.data)' }] }, false],
    [
      'one that fails beside one that does not hold',
      {
        matchConditions: [
          { name: 'c', expression: 'object.none == 1' },
          { name: 'd', expression: 'false' },
        ],
      },
      false,
    ],
    [
      'a right that the sender has',
      {
        matchConditions: [{ name: 'c', expression: 'authorizer.group("").resource("pods").check("delete").allowed()' }],
      },
      true,
    ],
    [
      'the right to this request',
      { matchConditions: [{ name: 'c', expression: 'authorizer.requestResource.check("drink").allowed()' }] },
      true,
    ],
  ])('calls a webhook for %s', async (name, more, isAsked) => {
    await register('validating', 'v', aHook('judge', more));
    const answer = await create(
      aMap(`m-${name.length}`, { metadata: { name: 'm', labels: { app: 'x' } } }),
      '?dryRun=All',
    );
    expect(answer.status, said(answer)).toBe(201);
    expect(names()).toEqual(isAsked ? ['judge'] : []);
  });

  test('rejects the request or ignores the webhook if a match condition fails', async () => {
    const matchConditions = [{ name: 'c', expression: 'object.none == 1' }];
    await register('validating', 'v', aHook('strict', { matchConditions }));
    expect(said(await create(aMap('m')))).toBe(
      `403 configmaps "m" is forbidden: expression 'object.none == 1' resulted in error: no such key: none`,
    );
    await request('DELETE', registered.pop() ?? '');
    await register('validating', 'v', aHook('lax', { matchConditions, failurePolicy: 'Ignore' }));
    expect((await create(aMap('m'))).status).toBe(201);
    expect(names()).toEqual([]);
  });

  test('selects a namespace by its own labels', async () => {
    const rules = [{ ...CONFIG_MAPS, resources: ['namespaces'] }];
    await register('validating', 'v', aHook('judge', { rules, namespaceSelector: { matchLabels: { team: 'new' } } }));
    await made('/api/v1/namespaces?dryRun=All', { metadata: { name: 'new', labels: { team: 'new' } } });
    await made('/api/v1/namespaces?dryRun=All', { metadata: { name: 'old', labels: { team: 'old' } } });
    expect(asked.map(({ request: { name, namespace } }) => [name, namespace])).toEqual([['new', 'new']]);
  });

  test('skips requests for webhooks, so that a dead one can be deleted', async () => {
    answers.set('bricked', () => ({ allowed: false }));
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
    await register('validating', 'v', aHook('bricked', { rules }));
    expect((await create(aMap('m'))).status).toBe(400);
    expect((await request('PATCH', registered[0] ?? '', { metadata: { labels: { a: 'b' } } })).status).toBe(200);
    expect((await request('DELETE', registered.pop() ?? '')).status).toBe(200);
  });

  test('reports a dry run to the webhook', async () => {
    await register('validating', 'v', aHook('careful', { sideEffects: 'NoneOnDryRun' }));
    expect((await create(aMap('dry'), '?dryRun=All')).status).toBe(201);
    expect(asked[0]?.request['dryRun']).toBe(true);
  });
});
