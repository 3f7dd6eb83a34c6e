import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { json } from './front-door.ts';
import { metadataOf, versionOf } from './kinds.ts';
import { describeMatrix } from './matrix.ts';

const names = (list: JsonObject): unknown[] => (list['items'] as JsonObject[]).map((item) => metadataOf(item)['name']);

describeMatrix('lists', (api) => {
  let path = '';
  beforeAll(async () => {
    const { ok, namespace } = api();
    path = `/api/v1/namespaces/${await namespace()}/configmaps`;
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const labels = name < 'c' ? { half: 'first' } : { half: 'second', [name]: '' };
      await ok('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
    }
  });

  test.each([
    ['', ['a', 'b', 'c', 'd', 'e']],
    ['labelSelector=half%3Dfirst', ['a', 'b']],
    ['labelSelector=half+in+(first,x),!c', ['a', 'b']],
    ['labelSelector=d', ['d']],
    ['fieldSelector=metadata.name%3Dc', ['c']],
    ['fieldSelector=metadata.name!%3Dc', ['a', 'b', 'd', 'e']],
    ['fieldSelector=metadata.namespace%3Dother', []],
    ['labelSelector=half%3Dsecond&fieldSelector=metadata.name%3Da', []],
  ])('selects by %j', async (query, expected) => {
    expect(names(await api().ok('GET', `${path}?${query}`))).toEqual(expected);
  });

  test.each([
    ['labelSelector=!!', 400],
    ['fieldSelector=spec.x%3Dy', 400],
    ['limit=abc', 400],
    ['continue=bogus', 400],
    ['resourceVersion=abc', 400],
    ['resourceVersion=99999999999999999999', 400],
    ['sendInitialEvents=true', 422],
    ['resourceVersionMatch=Exact', 422],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422],
    ['resourceVersion=1&resourceVersionMatch=Foo', 422],
    ['resourceVersion=1&resourceVersionMatch=Exact&continue=x', 422],
  ])('refuses %s with %i', async (query, code) => {
    expect(json(await api().send('GET', `${path}?${query}`))).toMatchObject({ kind: 'Status', code });
  });

  test('pages at one version, whatever is written meanwhile', async () => {
    const { ok, send } = api();
    const first = await ok('GET', `${path}?limit=2`);
    expect(metadataOf(first)).toMatchObject({ remainingItemCount: 3 });
    await ok('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cc' } });
    const token = encodeURIComponent(String(metadataOf(first)['continue']));
    const second = await ok('GET', `${path}?limit=2&continue=${token}`);
    expect([names(first), names(second)]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(versionOf(second)).toBe(versionOf(first));
    const last = await ok('GET', `${path}?continue=${encodeURIComponent(String(metadataOf(second)['continue']))}`);
    expect(names(last)).toEqual(['e']);
    expect(metadataOf(last)['continue']).toBeUndefined();
    expect((await send('DELETE', `${path}/cc`)).status).toBe(200);
  });

  describe('a list at a version', () => {
    let of = '';
    let before = '';
    beforeAll(async () => {
      const { ok, namespace } = api();
      of = `/api/v1/namespaces/${await namespace()}/configmaps`;
      const make = (name: string) => ok('POST', of, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
      await make('a');
      before = versionOf(await make('b'));
      await make('c');
    });

    test('a page of one object by its name may come from any recent enough state', async () => {
      const query = `fieldSelector=metadata.name%3Dc&limit=1&resourceVersion=${before}`;
      expect(names(await api().ok('GET', `${of}?${query}`))).toEqual(['c']);
    });

    test('asks the client to retry for a future version', async () => {
      const answer = json(await api().send('GET', `${of}?resourceVersion=999999999999`));
      expect(answer).toMatchObject({
        reason: 'Timeout',
        message: expect.stringMatching(/^Timeout: Too large resource version: 999999999999, current: \d+$/),
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      });
    });

    test.each([
      ['', 'PartialObjectMetadata'],
      ['&includeObject=Metadata', 'PartialObjectMetadata'],
      ['&includeObject=Object', 'ConfigMap'],
      ['&includeObject=None', undefined],
    ])('a Table with %j has rows of %s', async (include, kind) => {
      const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      const table = await api().ok('GET', `${of}?limit=1${include}`, undefined, accept);
      const [row] = table['rows'] as { object: JsonObject | null }[];
      expect(row?.object?.['kind']).toBe(kind);
    });

    test('rejects a Table that the kind does not have with a 400', async () => {
      const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
      const answer = json(await api().send('GET', `${of}?includeObject=All`, undefined, accept));
      const wrong = `includeObject: Invalid value: "All": must be 'Metadata', 'Object', 'None', or empty`;
      expect(answer).toMatchObject({ code: 400, message: `Unable to convert to Table as requested: ${wrong}` });
    });
  });

  test.each([
    'text/html',
    'application/json;as=Nope;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  ])('refuses Accept %s', async (accept) => {
    expect(json(await api().send('GET', path, undefined, { accept }))).toMatchObject({ code: 406 });
  });
});
