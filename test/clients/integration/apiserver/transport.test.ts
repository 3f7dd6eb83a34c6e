import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { json, text } from './front-door.ts';
import { describeEveryDoor } from './matrix.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const MIB = 1024 * 1024;
const AGGREGATED = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json' };

/** Differences between front doors: paths, headers, bodies and responses without a body. Other suites run behind two doors. */
describeEveryDoor('the transport', (api) => {
  afterEach(() => expect(api().door.faults).toEqual([]));

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

  test.each(['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS', 'TRACE'])('does not serve %s at /api', async (method) => {
    expect(json(await api().send(method, '/api'))).toMatchObject({ code: 405, reason: 'MethodNotAllowed' });
  });

  test('rejects a wrong token, and treats a request without a token as anonymous', async () => {
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

  test('every response has an audit id and forbids caching', async () => {
    const { headers } = await api().send('GET', '/nope');
    expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['cache-control']).toBe('no-cache, private');
  });

  test('a body over 3 MiB is a 413', async () => {
    const answer = await api().door.send({ method: 'POST', path: CONFIG_MAPS, body: 'x'.repeat(3 * MIB + 1) });
    if (api().door.limitsBodies) expect(json(answer)).toMatchObject({ code: 413, reason: 'RequestEntityTooLarge' });
    else expect(answer.status).toBe(400);
  });

  test('returns the same ETag for one document while it does not change', async () => {
    const { send } = api();
    const first = await send('GET', '/apis', undefined, AGGREGATED);
    expect(first.headers['content-type']).toBe('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    const etag = first.headers['etag'] ?? '';
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    const again = await send('GET', '/apis', undefined, { ...AGGREGATED, 'if-none-match': etag });
    expect([again.status, text(again)]).toEqual([304, '']);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    const other = await send('GET', '/apis', undefined, { ...AGGREGATED, 'if-none-match': '"x"' });
    expect(other.status).toBe(200);
  });

  describe('lists in other formats', () => {
    let path = '';
    beforeAll(async () => {
      const { ok, namespace } = api();
      path = `/api/v1/namespaces/${await namespace()}/configmaps`;
      await ok('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    });

    test.each([
      ['application/json', 'application/json', '{"kind":"ConfigMapList"'],
      ['application/yaml', 'application/yaml', 'apiVersion: v1'],
      ['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf', 'k8s\0'],
      ['application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json', '{"kind":"Table"'],
      [
        'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
        'application/json',
        '{"kind":"PartialObjectMetadataList"',
      ],
      ['text/html, application/yaml;q=0.5, */*;q=0.1', 'application/yaml', 'apiVersion: v1'],
    ])('are returned for Accept %s', async (accept, type, begins) => {
      const answer = await api().send('GET', path, undefined, { accept });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe(type);
      expect(text(answer).startsWith(begins)).toBe(true);
    });

    test.each(['', '/a'])('indents output for a client in a terminal: %j', async (name) => {
      const compact = text(await api().send('GET', `${path}${name}`));
      expect(compact.endsWith('}\n')).toBe(true);
      const indented = text(await api().send('GET', `${path}${name}`, undefined, { 'user-agent': 'curl/8.5' }));
      expect(indented).toBe(JSON.stringify(JSON.parse(compact), null, 2)); // no line break follows it, as in upstream
      const asked = text(await api().send('GET', `${path}${name}?pretty=true`));
      expect(asked).toBe(indented);
    });
  });
});
