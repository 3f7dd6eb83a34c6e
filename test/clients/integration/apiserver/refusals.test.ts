import { afterEach, describe, expect, test } from 'vitest';
import { json, text } from './front-door.ts';
import { describeMatrix, MERGE } from './matrix.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const CRON_TABS = '/apis/example.com/v1/namespaces/default/crontabs';
const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

describeMatrix('refusals', (api) => {
  afterEach(() => expect(api().door.faults).toEqual([]));

  describe.each([CONFIG_MAPS, CRON_TABS])('a POST of %s', (path) => {
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
  ])('returns for %s %s without a namespace the status %i', async (method, path, code) => {
    expect(await api().send(method, path, '{}')).toMatchObject({ status: code });
  });

  test('also returns 415 if only options are read', async () => {
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

  test('anyone may read health with the role, and not without it', async () => {
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
});
