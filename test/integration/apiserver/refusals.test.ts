import { afterEach, describe, expect, test } from 'vitest';
import { json, text } from './front-door.ts';
import { describeEveryDoor, MERGE } from './matrix.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const CRON_TABS = '/apis/example.com/v1/namespaces/default/crontabs';
const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
const MIB = 1024 * 1024;

describeEveryDoor('refusals', (api) => {
  afterEach(() => expect(api().door.faults).toEqual([]));

  describe.each([CONFIG_MAPS, CRON_TABS])('POST %s', (path) => {
    test.each([
      ['nothing', ''],
      ['half an object', '{'],
      ['a list', '[]'],
      ['a text', '"x"'],
      ['bytes', Buffer.from([0xff, 0xfe, 0])],
      ['too deep an object', deep],
      ['foreign metadata', '{"metadata":[]}'],
      ['an unknown kind', '{"apiVersion":"__proto__","kind":"constructor"}'],
    ])('%s is a 400', async (_, body) => {
      expect(json(await api().send('POST', path, body))).toMatchObject({ kind: 'Status', code: 400 });
    });

    test.each([
      ['application/yaml', 'a: ['],
      ['application/yaml', '['.repeat(20_000)],
      ['application/yaml', 'a: &a [x, x]\nb: &b [*a, *a]\nc: *d'],
    ])('malformed %s is a 400', async (type, body) => {
      expect(json(await api().send('POST', path, body, { 'content-type': type }))).toMatchObject({ code: 400 });
    });

    test.each(['text/plain', 'application/cbor', 'constructor', '__proto__'])('%s is a 415', async (type) => {
      expect(json(await api().send('POST', path, '{}', { 'content-type': type }))).toMatchObject({ code: 415 });
    });
  });

  test('names the kind of a custom object of another kind', async () => {
    const { send, namespace } = api();
    const other = { apiVersion: 'example.com/v1', kind: 'Other', metadata: { name: 'a' } };
    const path = `/apis/example.com/v1/namespaces/${await namespace()}/crontabs`;
    const message = 'Other.example.com "a" is invalid: kind: Invalid value: "Other": must be CronTab';
    expect(json(await send('POST', path, other))).toMatchObject({ code: 422, message });
  });

  test('a patched built-in object may lack its kind, and without apiVersion counts as one that has no fields', async () => {
    const { ok, send, namespace } = api();
    const path = `/api/v1/namespaces/${await namespace()}/configmaps`;
    await ok('POST', path, { metadata: { name: 'a' }, data: { a: '1' } });
    const kindless = await ok('PATCH', `${path}/a`, { kind: null, data: { a: '2' } }, MERGE);
    expect(kindless).toMatchObject({ kind: 'ConfigMap', data: { a: '2' } });
    const answer = await send('PATCH', `${path}/a`, { apiVersion: null }, MERGE);
    const message = 'the name of the object (a based on URL) was undeterminable: name must be provided';
    expect(json(answer)).toMatchObject({ code: 400, message });
    expect(answer.headers['warning']).toContain('unknown field \\"data\\"');
  });

  test.each([
    ['GET', '/api/v1/namespaces/default/endpoints', true],
    ['GET', '/api/v1/namespaces/default/endpoints/a/log', false],
    ['HEAD', '/api/v1/namespaces/default/endpoints', false],
    ['OPTIONS', '/api/v1/namespaces/default/endpoints/a/status', false],
  ])('%s %s warns of the deprecated kind: %s', async (method, path, warns) => {
    const { headers } = await api().send(method, path);
    expect(headers['warning'] !== undefined).toBe(warns);
  });

  test('a list rejects invalid options before an unavailable form', async () => {
    const single = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
    expect(json(await api().send('GET', `${CONFIG_MAPS}?resourceVersion=x`, undefined, single))).toMatchObject({
      code: 400,
    });
    expect(json(await api().send('GET', CONFIG_MAPS, undefined, single))).toMatchObject({ code: 406 });
    const nothing = { accept: 'text/html' };
    expect(json(await api().send('GET', `${CONFIG_MAPS}?resourceVersion=x`, undefined, nothing))).toMatchObject({
      code: 406,
    });
  });

  test.each([
    ['DELETE', '/api/v1/configmaps', 405],
    ['POST', '/api/v1/configmaps', 405],
    ['DELETE', '/apis/example.com/v1/crontabs', 404],
    ['POST', '/apis/example.com/v1/crontabs', 404],
  ])('%s %s, of no namespace, is a %i', async (method, path, code) => {
    expect(await api().send(method, path, '{}')).toMatchObject({ status: code });
  });

  test('so it is where nothing but options is read', async () => {
    const answer = await api().send('DELETE', `${CONFIG_MAPS}/x`, '{}', { 'content-type': 'text/plain' });
    expect(json(answer)).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
  });

  test.each([
    ['{"kind":"Secret"}', 'illegal base64 data at input byte 0'],
    ['{"kind":"Event"}', 'converting (v1.Event) to (core.ConfigMap): unknown conversion'],
    ['{"kind":"Nope"}', 'no kind "Nope" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"'],
  ])('the patch %s makes no other kind of an object', async (patch, why) => {
    const { ok, send, namespace } = api();
    const path = `/api/v1/namespaces/${await namespace()}/configmaps`;
    await ok('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: 'b' } });
    const answer = json(await send('PATCH', `${path}/x`, patch, MERGE));
    expect(answer).toMatchObject({ code: 422 });
    expect(String(answer['message']).endsWith(`: ${why}`)).toBe(true);
  });

  test.each([
    Buffer.from('zzzz'),
    Buffer.from('k8s\0'),
    Buffer.from('k8s\0garbage'),
    Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x7f])]),
    Buffer.concat([Buffer.from('k8s\0'), Buffer.alloc(50_000, 0x0b)]),
  ])('malformed protobuf %# is a 400', async (body) => {
    const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
    expect(json(await api().send('POST', CONFIG_MAPS, body, headers))).toMatchObject({ code: 400 });
  });

  test.each([
    ['application/merge-patch+json', 400],
    ['application/json-patch+json', 400],
    ['application/strategic-merge-patch+json', 400],
    ['application/apply-patch+yaml', 400],
    ['application/json', 415],
  ])('a patch of type %s that is too deep is refused', async (type, code) => {
    const { ok, send, namespace } = api();
    const path = `/api/v1/namespaces/${await namespace()}/configmaps`;
    await ok('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
    const answer = await send('PATCH', `${path}/x?fieldManager=m`, type.endsWith('yaml') ? '['.repeat(20_000) : deep, {
      'content-type': type,
    });
    expect(json(answer)).toMatchObject({ code });
  });

  test.each([
    ['//api/v1', 404],
    ['/api//v1/nodes', 404],
    ['/api/v1/namespaces/default/configmaps/%2e%2e', 400],
    ['/api/v1/namespaces/default/configmaps/a%2fb', 404],
    ['/api/v1/namespaces/default/configmaps/%zz', 400],
    ['/api/v1/namespaces/default/configmaps/%ff', 400],
    ['/api/v1/namespaces/default/configmaps/%00', 404],
    ['/api/v1/namespaces/default/configmaps/x.', 404],
    ['/api/v1/namespaces/default/configmaps/x/constructor', 404],
    ['/api/v1/namespaces/default/__proto__', 404],
    ['/apis/__proto__/v1/constructor', 404],
    ['/apis/apps/v9/deployments', 404],
    ['/healthz/../metrics', 404],
    [`/${'a/'.repeat(3000)}`, 404],
  ])('GET %s is a %i', async (path, status) => {
    expect((await api().send('GET', path)).status).toBe(status);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS', 'TRACE'])('%s has no place at /api', async (method) => {
    expect(json(await api().send(method, '/api'))).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
  });

  test('a wrong token is nobody, and no token is anonymous', async () => {
    const wrong = await api().send('GET', CONFIG_MAPS, undefined, { authorization: 'Bearer wrong' });
    expect(json(wrong)).toMatchObject({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
    const none = await api().send('GET', CONFIG_MAPS, undefined, { authorization: null });
    expect(json(none)).toMatchObject({
      code: 403,
      message: `configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"`,
      details: { kind: 'configmaps' },
    });
    const path = await api().send('GET', '/metrics', undefined, { authorization: null });
    expect(json(path)).toMatchObject({ message: 'forbidden: User "system:anonymous" cannot get path "/metrics"' });
  });

  test('health is open to anyone by a role, and not without', async () => {
    const ask = (path: string) => api().send('GET', path, undefined, { authorization: null });
    const paths = ['/livez', '/readyz', '/healthz'];
    for (const path of paths) expect((await ask(path)).status).toBe(403);
    const [role, binding] = ['clusterroles', 'clusterrolebindings'].map(
      (resource) => `/apis/rbac.authorization.k8s.io/v1/${resource}`,
    ) as [string, string];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'public' };
    const subjects = [{ apiGroup: roleRef.apiGroup, kind: 'Group', name: 'system:unauthenticated' }];
    const metadata = { name: 'public' };
    await api().ok('POST', role, { metadata, rules: [{ verbs: ['get'], nonResourceURLs: paths }] });
    await api().ok('POST', binding, { metadata, roleRef, subjects });
    for (const path of paths) expect(text(await ask(path))).toBe('ok');
  });

  test('every answer has an audit id, and caches keep none', async () => {
    const { headers } = await api().send('GET', '/nope');
    expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['cache-control']).toBe('no-cache, private');
  });

  test('a body over 3 MiB is a 413', async () => {
    const answer = await api().door.send({ method: 'POST', path: CONFIG_MAPS, body: 'x'.repeat(3 * MIB + 1) });
    if (api().door.limitsBodies) expect(json(answer)).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
    else expect(answer.status).toBe(400);
  });
});
