import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { defineAggregatedApi, defineAggregatedResource } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { WebSocketClient } from '#test/support/web-socket.ts';
import { follow, type Note, words } from '../examples/aggregated-api/src/note.ts';
import { NoteFile } from '../examples/aggregated-api/src/note-file.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

const GROUP = 'notes.example.com';
const NOTES = `/apis/${GROUP}/v1/namespaces/default/notes`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'notes-'))));
afterAll(() => rm(folder, { recursive: true }));

const note = (name: string, text: unknown, labels: JsonObject = {}): JsonObject => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Note',
  metadata: { name, labels },
  spec: { text } as JsonObject,
});

/** The example's API, which runs in this thread. */
const inThisThread = () => {
  const storage = new NoteFile(join(folder, 'here.json'));
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { text: { type: 'string' } } } } };
  return defineAggregatedApi({
    name: 'notes',
    group: GROUP,
    version: 'v1',
    resources: [
      defineAggregatedResource<Note>({
        name: 'notes',
        kind: 'Note',
        shortNames: ['nt'],
        schema,
        storage,
        columns: [{ name: 'Text', type: 'string', value: ({ spec }) => spec.text }],
        subresources: {
          words: {
            handle: async ({ name: of, ...context }) => ({
              contentType: 'text/plain',
              body: words(storage, of, context),
            }),
          },
          follow: {
            connect: async (session, { name: of, ...context }) => {
              for await (const text of follow(storage, of, context)) await session.send(text);
            },
          },
        },
      }),
    ],
  });
};

describe.each<[string, () => Parameters<typeof startApiserver>[0]]>([
  ['in this thread', () => ({ aggregatedApis: [inThisThread()] })],
  ['in a thread of its own', () => ({ functionsFolder: join(import.meta.dirname, '../examples/aggregated-api') })],
])('an aggregated API %s', (_, options) => {
  let server: RunningApiserver;
  let send: Requester;
  const faults: string[] = [];
  beforeAll(async () => {
    process.env['NOTES_FILE'] = join(folder, 'there.json');
    server = await startApiserver({
      ...options(),
      reportFault: (id, error) => faults.push(`${id}: ${String(error)}`),
    });
    send = requester(server);
  });
  afterAll(async () => {
    await server.close();
    delete process.env['NOTES_FILE'];
    expect(faults).toEqual([]);
  });

  test('appears in discovery and OpenAPI, and is available', async () => {
    const { body } = await send('GET', `/apis/${GROUP}/v1`);
    expect(body).toMatchObject({
      kind: 'APIResourceList',
      resources: [
        { name: 'notes', kind: 'Note', shortNames: ['nt'] },
        { name: 'notes/words' },
        { name: 'notes/follow' },
      ],
    });
    expect(JSON.stringify((await send('GET', '/apis')).body)).toContain(GROUP);
    const { body: document } = await send('GET', `/openapi/v3/apis/${GROUP}/v1`);
    expect(JSON.stringify(document)).toContain('com.example.notes.v1.Note');
    const { body: old } = await send('GET', '/openapi/v2');
    expect(old['definitions']).toHaveProperty(['com.example.notes.v1.Note', 'properties', 'spec']);
    const service = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`;
    await eventually(async () =>
      expect(JSON.stringify((await send('GET', service)).body)).toContain('"reason":"Local"'),
    );
  });

  test('is listed among the functions of the server', async () => {
    const { body } = await send('GET', '/debug/davit/functions');
    const row = { name: 'notes', type: 'AggregatedAPI', serves: `${GROUP}/v1`, state: 'Running' };
    expect(body['items']).toContainEqual(row);
  });

  test("stores objects in its author's store", async () => {
    const created = await send('POST', NOTES, note('one', 'buy milk', { list: 'a' }));
    expect([created.status, created.body]).toMatchObject([
      201,
      { metadata: { resourceVersion: '1', namespace: 'default' } },
    ]);
    expect((await send('POST', NOTES, note('one', 'again'))).body).toMatchObject({ reason: 'AlreadyExists' });
    expect((await send('GET', `${NOTES}/one`)).body).toMatchObject({ kind: 'Note', spec: { text: 'buy milk' } });
    expect((await send('GET', `${NOTES}/none`)).body).toMatchObject({
      reason: 'NotFound',
      message: `notes.${GROUP} "none" not found`,
    });
    await send('POST', NOTES, note('two', 'call', { list: 'b' }));
    const { body } = await send('GET', `${NOTES}?labelSelector=list%3Db`);
    expect(body).toMatchObject({
      kind: 'NoteList',
      metadata: { resourceVersion: '2' },
      items: [{ metadata: { name: 'two' } }],
    });
    const patched = await send('PATCH', `${NOTES}/one`, { spec: { text: 'buy bread' } });
    expect(patched.body).toMatchObject({ metadata: { resourceVersion: '3' }, spec: { text: 'buy bread' } });
    expect((await send('PUT', `${NOTES}/one`, created.body)).body).toMatchObject({ reason: 'Conflict' });
    expect((await send('POST', `${NOTES}?dryRun=All`, note('dry', 'x'))).status).toBe(201);
    expect((await send('GET', `${NOTES}/dry`)).status).toBe(404);
    expect((await send('DELETE', `${NOTES}/two`)).body).toMatchObject({ status: 'Success', details: { name: 'two' } });
    expect((await send('GET', `${NOTES}/two`)).status).toBe(404);
  });

  test('rejects an object that violates its schema', async () => {
    expect((await send('POST', NOTES, note('wrong', 7))).body).toMatchObject({
      reason: 'Invalid',
      message: expect.stringContaining('spec.text'),
    });
  });

  test('returns its columns in a table', async () => {
    const { body } = await requester(server, { accept: TABLE })('GET', NOTES);
    const columns = body['columnDefinitions'] as JsonObject[];
    expect(columns.map((column) => column['name'])).toEqual(['Name', 'Text', 'Age']);
    expect(body['rows']).toMatchObject([{ cells: ['one', 'buy bread', expect.any(String)] }]);
  });

  test('streams a subresource, and connects to one', async () => {
    expect(await send('GET', `${NOTES}/one/words`)).toMatchObject({ status: 200, body: { text: 'buy\nbread\n' } });
    expect((await send('GET', `${NOTES}/one/follow`)).status).toBe(400);
    const socket = await WebSocketClient.open(server, `${NOTES}/one/follow`);
    expect(await socket.next()).toBe('1:buy bread');
    await send('PATCH', `${NOTES}/one`, { spec: { text: 'buy cake' } });
    expect(await socket.next()).toBe('1:buy cake');
    await send('PATCH', `${NOTES}/one`, { spec: { text: 'buy bread' } });
    socket.close();
    expect([await socket.next(), await socket.next(), await socket.next()]).toEqual(['1:buy bread', '8:1000', 'end']);
    await expect(WebSocketClient.open(server, `${NOTES}/none/follow`)).rejects.toThrow('404');
    expect((await send('GET', `${NOTES}/one/other`)).status).toBe(404);
  });

  test('authorizes requests first', async () => {
    const nobody = requester(server, { 'impersonate-user': 'bob' });
    expect((await nobody('GET', NOTES)).status).toBe(403);
  });

  test('applies configurations, and reports conflicts', async () => {
    const apply = (manager: string, text: string, query = '', headers = {}) =>
      requester(server, { 'content-type': 'application/apply-patch+yaml', ...headers })(
        'PATCH',
        `${NOTES}/applied?fieldManager=${manager}${query}`,
        note('applied', text),
      );
    await send('POST', `${RBAC}/clusterroles`, {
      metadata: { name: 'patcher' },
      rules: [{ apiGroups: [GROUP], resources: ['notes'], verbs: ['patch'] }],
    });
    await send('POST', `${RBAC}/clusterrolebindings`, {
      metadata: { name: 'amy-patches' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'patcher' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'amy' }],
    });
    const amy = { 'impersonate-user': 'amy' };
    expect((await apply('ann', 'x', '', amy)).body).toMatchObject({
      code: 403,
      message: expect.stringContaining('User "amy" cannot create resource "notes"'),
    });
    expect(await apply('ann', 'x')).toMatchObject({ status: 201, body: { spec: { text: 'x' } } });
    expect((await apply('bob', 'y', '', amy)).body).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "ann": .spec.text',
    });
    const forced = await apply('bob', 'y', '&force=true', amy);
    expect(forced.body).toMatchObject({
      spec: { text: 'y' },
      metadata: { managedFields: [{ manager: 'ann' }, { manager: 'bob' }] },
    });
    await send('DELETE', `${NOTES}/applied`);
  });

  test('lists objects in pages', async () => {
    for (const name of ['p1', 'p2', 'p3']) await send('POST', NOTES, note(name, name, { list: 'pages' }));
    const { body } = await send('GET', `${NOTES}?limit=2`);
    expect(body).toMatchObject({ metadata: { remainingItemCount: 2 }, items: { length: 2 } });
    const { continue: next = '' } = body['metadata'] as Record<string, string>;
    const { body: last } = await send('GET', `${NOTES}?limit=2&continue=${encodeURIComponent(next)}`);
    expect(last).toMatchObject({ items: [{ metadata: { name: 'p2' } }, { metadata: { name: 'p3' } }] });
    expect(last['metadata']).not.toHaveProperty('continue');
    await send('DELETE', `${NOTES}?labelSelector=list%3Dpages`);
  });

  const watching = async (query: string) => {
    const opened = httpsRequest(`${server.url}${NOTES}?watch=true&${query}`, {
      ca: server.certificateAuthority,
      headers: { authorization: `Bearer ${server.adminToken}` },
    });
    opened.end();
    const [response] = (await once(opened, 'response')) as [IncomingMessage];
    const events: JsonObject[] = [];
    let rest = '';
    response.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString()}`.split('\n');
      rest = lines.pop() ?? '';
      events.push(...lines.map((line) => JSON.parse(line) as JsonObject));
    });
    const shown = () =>
      events.map(({ type, object }) => {
        const { metadata } = isObject(object) ? object : {};
        return [type, isObject(metadata) ? metadata['name'] : undefined];
      });
    return { shown, events, close: () => response.destroy() };
  };

  test('sends changes, and resumes after a version', async () => {
    const watch = await watching('labelSelector=list%3Da');
    await eventually(() => expect(watch.shown()).toHaveLength(1));
    await send('POST', NOTES, note('three', 'x', { list: 'b' }));
    await send('PATCH', `${NOTES}/three`, { metadata: { labels: { list: 'a' } } });
    const { body } = await send('GET', `${NOTES}/three`);
    await send('PATCH', `${NOTES}/three`, { metadata: { labels: { list: 'b' } } });
    await eventually(
      () => watch.shown().length === 3,
      () => JSON.stringify(watch.shown()),
    );
    expect(watch.shown()).toEqual([
      ['ADDED', 'one'],
      ['ADDED', 'three'],
      ['DELETED', 'three'],
    ]);
    watch.close();
    const { resourceVersion = '' } = body['metadata'] as Record<string, string>;
    const resumed = await watching(`resourceVersion=${resourceVersion}`);
    await eventually(() => expect(resumed.shown()).toHaveLength(1));
    expect(resumed.shown()).toEqual([['MODIFIED', 'three']]);
    resumed.close();
  });

  test('returns 410 to a watch whose version is too old', async () => {
    for (let i = 0; i < 101; i++) await send('PATCH', `${NOTES}/one`, { spec: { text: `${i}` } });
    const watch = await watching('resourceVersion=1');
    await eventually(() => expect(watch.events).toHaveLength(1));
    expect(watch.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
  });

  test('deletes a collection', async () => {
    expect((await send('DELETE', NOTES)).body).toMatchObject({ kind: 'NoteList' });
    expect((await send('GET', NOTES)).body).toMatchObject({ items: [] });
  });
});
