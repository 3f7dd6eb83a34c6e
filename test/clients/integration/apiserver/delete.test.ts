import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { json } from './front-door.ts';
import { KINDS, metadataOf, versionOf } from './kinds.ts';
import { describeMatrix, MERGE } from './matrix.ts';

const FINALIZERS = { metadata: { finalizers: ['example.com/hold'] } };

describeMatrix('deletions', (api) => {
  describe.each(KINDS)('$title', ({ collection, object, resource }) => {
    test('is gone immediately if it has no finalizer', async () => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      const { uid } = metadataOf(await ok('POST', path, object('gone', 'x')));
      const [kind] = resource.split('.');
      expect(await ok('DELETE', `${path}/gone`)).toMatchObject({
        kind: 'Status',
        status: 'Success',
        details: { name: 'gone', kind, uid },
      });
      expect((await send('GET', `${path}/gone`)).status).toBe(404);
    });

    test.each([
      ['uid=other', 'UID'],
      ['resourceVersion=1', 'ResourceVersion'],
    ])('is kept when the query %s names another object or version', async (query, precondition) => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      await ok('POST', path, object('named', 'x'));
      await ok('PATCH', `${path}/named`, { metadata: { labels: { a: 'b' } } }, MERGE);
      expect(json(await send('DELETE', `${path}/named?${query}`))).toMatchObject({
        code: 409,
        message: expect.stringContaining(`the ${precondition} in the precondition`),
      });
      const { uid, resourceVersion } = metadataOf(await ok('GET', `${path}/named`));
      await ok('DELETE', `${path}/named?uid=${uid}&resourceVersion=${resourceVersion}`);
    });

    test('waits for its last finalizer', async () => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      await ok('POST', path, object('held', 'x'));
      await ok('PATCH', `${path}/held`, FINALIZERS, MERGE);
      const deleting = await ok('DELETE', `${path}/held`);
      expect(metadataOf(deleting)).toMatchObject({
        deletionGracePeriodSeconds: 0,
        deletionTimestamp: expect.any(String),
      });
      expect(versionOf(await ok('DELETE', `${path}/held`))).toBe(versionOf(deleting));
      const added = { metadata: { finalizers: ['example.com/hold', 'example.com/late'] } };
      expect(json(await send('PATCH', `${path}/held`, added, MERGE))).toMatchObject({ code: 422 });
      await ok('PATCH', `${path}/held`, { metadata: { finalizers: null } }, MERGE);
      expect((await send('GET', `${path}/held`)).status).toBe(404);
    });

    test.each([
      ['uid', { uid: 'other' }],
      ['resourceVersion', { resourceVersion: '1' }],
    ])('honours a precondition on %s', async (_, preconditions) => {
      const { ok, send, namespace } = api();
      const path = collection(await namespace());
      const made = await ok('POST', path, object('guarded', 'x'));
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions };
      expect(json(await send('DELETE', `${path}/guarded`, options))).toMatchObject({ code: 409, reason: 'Conflict' });
      const { uid, resourceVersion } = metadataOf(made);
      const right = { preconditions: { uid, resourceVersion } } as JsonObject;
      expect((await send('DELETE', `${path}/guarded`, right)).status).toBe(200);
    });

    test.each([
      ['Foreground', ['foregroundDeletion']],
      ['Orphan', ['orphan']],
    ])('propagates %s by a finalizer', async (policy, finalizers) => {
      const { ok, namespace } = api();
      const path = collection(await namespace());
      await ok('POST', path, object(`by-${policy.toLowerCase()}`, 'x'));
      const at = `${path}/by-${policy.toLowerCase()}`;
      expect(metadataOf(await ok('DELETE', `${at}?propagationPolicy=${policy}`))).toMatchObject({ finalizers });
      await ok('PATCH', at, { metadata: { finalizers: null } }, MERGE);
    });

    test('deletes only the objects that match the label selector', async () => {
      const { ok, namespace } = api();
      const path = collection(await namespace());
      for (const name of ['one', 'two', 'three']) {
        const labels = name === 'two' ? { keep: '1' } : { keep: '0', all: '1' };
        await ok('POST', path, { ...object(`${name}-of-all`, 'x'), metadata: { name: `${name}-of-all`, labels } });
      }
      const deleted = await ok('DELETE', `${path}?labelSelector=keep%3D0`);
      expect(deleted['items']).toHaveLength(2);
      const left = await ok('GET', `${path}?labelSelector=keep`);
      expect((left['items'] as JsonObject[]).map((item) => metadataOf(item)['name'])).toEqual(['two-of-all']);
      await ok('DELETE', `${path}/two-of-all`);
    });
  });

  test.each([
    ['{"propagationPolicy":"Foo"}', 422],
    ['{"propagationPolicy":"Orphan","orphanDependents":true}', 422],
    ['{"dryRun":["Foo"]}', 422],
    ['{"kind":"Nope","apiVersion":"v1"}', 400],
    ['{"gracePeriodSeconds":"x"}', 400],
    ['{"gracePeriodSeconds":1.5}', 400],
    ['[]', 400],
    ['{', 400],
  ])('refuses the options %s with %i', async (options, code) => {
    const { send, namespace } = api();
    const path = `/api/v1/namespaces/${await namespace()}/configmaps/any`;
    expect(json(await send('DELETE', path, options))).toMatchObject({ kind: 'Status', code });
  });

  test.each(['application/yaml', 'application/vnd.kubernetes.protobuf'])('refuses malformed %s', async (type) => {
    const { send, namespace } = api();
    const path = `/api/v1/namespaces/${await namespace()}/configmaps/any`;
    expect(json(await send('DELETE', path, 'a: [', { 'content-type': type }))).toMatchObject({ code: 400 });
  });

  test('starts or shortens the grace period of a pod', async () => {
    const { ok, send, namespace } = api();
    const at = `/api/v1/namespaces/${await namespace()}`;
    const path = `${at}/pods`;
    await ok('POST', `${at}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    });
    const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'n' };
    await ok('POST', path, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
    expect(metadataOf(await ok('DELETE', `${path}/p`))).toMatchObject({ deletionGracePeriodSeconds: 30 });
    expect(metadataOf(await ok('DELETE', `${path}/p?gracePeriodSeconds=5`))).toMatchObject({
      deletionGracePeriodSeconds: 5,
    });
    expect((await send('DELETE', `${path}/p?gracePeriodSeconds=0`)).status).toBe(200);
    expect((await send('GET', `${path}/p`)).status).toBe(404);
  });
});
