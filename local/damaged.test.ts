import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encryptionOf } from '#lib/storage/encryption/transformers.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';
import type { StartOptions } from './start-options.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const OTHER = '/api/v1/namespaces/other/configmaps';
const IGNORE = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
const KEY = 'main//configmaps/default/bad';
const NAMED = '/registry/configmaps/default/bad';

let filled = '';
let dataDirectory = '';
const faults: string[] = [];
beforeEach(async () => {
  faults.length = 0;
  dataDirectory = await mkdtemp(join(tmpdir(), 'davit-damaged-'));
});
afterEach(() => rm(dataDirectory, { recursive: true }));

const start = (options: StartOptions = {}): Promise<RunningApiserver> =>
  startApiserver({
    dataDirectory,
    controllers: false,
    reportFault: (_, error) => faults.push(String(error)),
    ...options,
  });

/** Copies the data of a stopped server. */
const fill = (): Promise<void> => cp(filled, dataDirectory, { recursive: true });

beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'davit-filled-'));
  await using server = await start({ dataDirectory: filled });
  const ask = requester(server);
  for (const name of ['default', 'other']) await ask('POST', '/api/v1/namespaces', { metadata: { name } });
  for (const name of ['a', 'bad', 'c']) await ask('POST', MAPS, { metadata: { name, labels: { x: 'y' } }, data: {} });
  await ask('POST', OTHER, { metadata: { name: 'far' } });
});
afterAll(() => rm(filled, { recursive: true }));

function raw(work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(dataDirectory, 'davit.db'));
  work(db);
  db.close();
}

/** Overwrites a stored value with bytes, in the log's entry or in the checkpointed item. */
const damage = (where: 'log' | 'item', body: Uint8Array, { key = KEY } = {}): void =>
  raw((db) => {
    if (where === 'item') {
      db.exec(`INSERT OR REPLACE INTO item SELECT seq, key, version, format, body FROM log WHERE key IS NOT NULL;
        UPDATE sequence SET watermark = (SELECT max(version) FROM log WHERE seq = id)`);
    }
    expect(db.prepare(`UPDATE ${where} SET body = ? WHERE key = ?`).run(body, key).changes).toBe(1);
  });

async function expectRestServed(ask: Requester): Promise<void> {
  expect((await ask('GET', `${MAPS}/a`)).status).toBe(200);
  expect((await ask('POST', MAPS, { metadata: { name: 'new' } })).status).toBe(201);
  expect((await ask('PATCH', `${MAPS}/c`, { data: { k: 'v' } })).status).toBe(200);
  expect((await ask('DELETE', `${MAPS}/new`)).status).toBe(200);
  expect((await ask('GET', OTHER)).status).toBe(200);
}

async function expectNamed(ask: Requester): Promise<void> {
  const refused = [
    await ask('GET', `${MAPS}/bad`),
    await ask('GET', MAPS),
    await ask('GET', '/api/v1/configmaps?labelSelector=x%3Dy'),
    await ask('PATCH', `${MAPS}/bad`, { data: { k: 'v' } }),
    await ask('DELETE', `${MAPS}/bad`),
  ];
  const texts = refused.map(({ status, body }) => `${status} ${String(body['message'])}`);
  for (const text of texts) expect(text).toMatch(/^500 Internal error occurred: /);
  for (const text of texts) expect(text).toContain(NAMED);
  const dry = await ask('DELETE', `${MAPS}/bad`, { ...IGNORE, dryRun: ['All'] });
  expect(dry).toMatchObject({ status: 422, body: { message: expect.stringContaining('together with .dryRun') } });
}

async function expectDiscarded(ask: Requester): Promise<void> {
  const before = await headOf(ask);
  expect(await ask('DELETE', `${MAPS}/bad`, IGNORE)).toMatchObject({
    status: 200,
    body: { status: 'Success', details: { name: 'bad', kind: 'ConfigMap' } },
  });
  expect((await ask('GET', `${MAPS}/bad`)).status).toBe(404);
  expect((await ask('GET', MAPS)).status).toBe(200);
  expect(await watched(ask, `${MAPS}?labelSelector=x%3Dz&resourceVersion=${before}`)).toMatch(/DELETED.*"name":"bad"/);
  expect((await ask('POST', MAPS, { metadata: { name: 'bad' } })).status).toBe(201);
}

/** The events of a watch that lasts one second. */
async function watched(ask: Requester, path: string): Promise<string> {
  const { body } = await ask('GET', `${path}&watch=true&timeoutSeconds=1`);
  return JSON.stringify(body).replaceAll('\\"', '"');
}

const headOf = async (ask: Requester): Promise<string> => {
  const { body } = await ask('GET', OTHER);
  return String((body as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion);
};

describe.each(['log', 'item'] as const)('an object that is damaged in the %s', (where) => {
  test.each([
    ['noise', randomBytes(200)],
    ['nothing', new Uint8Array()],
    ['cut off', Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"bad","resour')],
    ['no JSON', Buffer.from('{"kind":"ConfigMap","metadata":{"resourceVersion":"3",,}')],
  ])('is named if damaged by %s, is deletable, and does not block others', async (_, body) => {
    await fill();
    damage(where, body);
    {
      await using server = await start();
      const ask = requester(server);
      await expectRestServed(ask);
      await expectNamed(ask);
      const from = where === 'log' ? 'ERROR.*/default/bad' : 'ADDED.*"name":"bad"';
      expect(await watched(ask, `${MAPS}?resourceVersion=1`)).toMatch(new RegExp(from));
      await expectDiscarded(ask);
      expect(faults.join()).toContain(NAMED);
    }
    await using server = await start();
    expect((await requester(server)('GET', MAPS)).status).toBe(200);
  });
});

const encryption = (...keys: readonly number[]) => {
  const named = keys.map((key) => `{name: k${key}, secret: ${Buffer.alloc(32, key).toString('base64')}}`);
  const provider = `aesgcm: {keys: [${named.join(', ')}]}`;
  const text = `{apiVersion: apiserver.config.k8s.io/v1, kind: EncryptionConfiguration, resources: [{resources: [configmaps], providers: [${provider}, identity: {}]}]}`;
  return encryptionOf(text, () => {
    throw new TypeError('no KMS');
  });
};

test('an object whose key is lost is named, does not block others, and returns with its key', async () => {
  await fill();
  {
    await using server = await start({ encryption: encryption(1) });
    const ask = requester(server);
    await ask('PATCH', `${MAPS}/bad`, { data: { k: 'v' } });
  }
  await using server = await start({ encryption: encryption(2) });
  const ask = requester(server);
  await expectRestServed(ask);
  await expectNamed(ask);
  const watching = watched(ask, `${MAPS}?resourceVersion=${await headOf(ask)}`);
  await ask('PATCH', `${MAPS}/c`, { data: { k: 'w' } });
  expect(await watching).toMatch(/MODIFIED.*"name":"c"/);
  server.encryptBy(encryption(2, 1));
  expect((await ask('GET', MAPS)).status).toBe(200);
  server.encryptBy(encryption(2));
  await expectDiscarded(ask);
});

test('requires a separate permission to delete unreadable objects', async () => {
  await fill();
  damage('log', randomBytes(200));
  const dev = { name: 'dev', groups: ['system:authenticated'] };
  await using server = await start({ tokens: new Map([['dev', dev]]) });
  const [admin, ask] = [requester(server), requester(server, { authorization: 'Bearer dev' })];
  const allow = async (name: string, verbs: string[]): Promise<void> => {
    const RBAC = '/apis/rbac.authorization.k8s.io/v1';
    await admin('POST', `${RBAC}/clusterroles`, {
      metadata: { name },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }],
    });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    const subjects = [{ kind: 'User', name: 'dev', apiGroup: 'rbac.authorization.k8s.io' }];
    await admin('POST', `${RBAC}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
  };
  await allow('deletes', ['delete']);
  const refused = await ask('DELETE', `${MAPS}/bad`, IGNORE);
  expect([refused.status, refused.body['message']]).toEqual([
    403,
    expect.stringMatching(
      /^configmaps "bad" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason:/,
    ),
  ]);
  await allow('discards', ['unsafe-delete-ignore-read-errors']);
  expect((await ask('DELETE', `${MAPS}/bad`, IGNORE)).status).toBe(200);
});

test('the option deletes readable objects as usual', async () => {
  await fill();
  await using server = await start();
  const ask = requester(server);
  expect((await ask('DELETE', `${MAPS}/a`, { ...IGNORE, dryRun: ['All'] })).status).toBe(200);
  expect((await ask('DELETE', `${MAPS}/a`, IGNORE)).status).toBe(200);
  expect((await ask('DELETE', `${MAPS}/a`, IGNORE)).status).toBe(404);
});

test.each([
  ['noise', randomBytes(200)],
  ['no JSON', Buffer.from('{"kind":"ClusterRole","metadata":{"resourceVersion":"%",,}}')],
])('a role damaged by %s removes no permission of other roles, and blocks no namespace', async (_, bytes) => {
  await fill();
  const RBAC = '/apis/rbac.authorization.k8s.io/v1';
  const BAD = `${RBAC}/clusterroles/bad`;
  const dev = { name: 'dev', groups: ['system:authenticated'] };
  let version = '';
  {
    await using server = await start();
    const ask = requester(server);
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    await ask('POST', `${RBAC}/clusterroles`, { metadata: { name: 'lists' }, rules });
    const { body } = await ask('POST', `${RBAC}/clusterroles`, { metadata: { name: 'bad' }, rules });
    version = String((body as { metadata?: { resourceVersion?: string } }).metadata?.resourceVersion);
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'lists' };
    const subjects = [{ kind: 'User', name: 'dev', apiGroup: 'rbac.authorization.k8s.io' }];
    await ask('POST', `${RBAC}/clusterrolebindings`, { metadata: { name: 'lists' }, roleRef, subjects });
  }
  damage('item', Buffer.from(bytes.toString('latin1').replace('%', version), 'latin1'), {
    key: 'main/rbac.authorization.k8s.io/clusterroles//bad',
  });
  await using server = await start({ controllers: ['*'], tokens: new Map([['dev', dev]]) });
  const [admin, ask] = [requester(server), requester(server, { authorization: 'Bearer dev' })];
  expect((await ask('GET', MAPS)).status).toBe(200);
  expect((await ask('GET', '/api/v1/secrets')).status).toBe(403);
  expect((await admin('GET', `${RBAC}/clusterroles`)).status).toBe(500);
  await admin('POST', '/api/v1/namespaces', { metadata: { name: 'new' } });
  await eventually(async () =>
    expect((await admin('GET', '/api/v1/namespaces/new/serviceaccounts/default')).status).toBe(200),
  );
  await admin('DELETE', '/api/v1/namespaces/new');
  await eventually(async () => expect((await admin('GET', '/api/v1/namespaces/new')).status).toBe(404));
  expect((await admin('DELETE', BAD, IGNORE)).status).toBe(200);
  expect((await admin('GET', `${RBAC}/clusterroles`)).status).toBe(200);
});

test('controllers work despite a damaged object: the rest of its namespace is deleted', async () => {
  await fill();
  damage('item', randomBytes(200));
  await using server = await start({ controllers: ['*'] });
  const ask = requester(server);
  expect((await ask('DELETE', '/api/v1/namespaces/other')).status).toBe(200);
  await eventually(async () =>
    expect(JSON.stringify((await ask('GET', '/api/v1/namespaces/other')).body)).toMatch(
      /NamespaceDeletionContentFailure|"code":404/,
    ),
  );
});

test('a table shows the deletion of a damaged object', async () => {
  const NODES = '/api/v1/nodes';
  {
    await using server = await start();
    await requester(server)('POST', NODES, { metadata: { name: 'bad' } });
  }
  damage('item', randomBytes(200), { key: 'main//nodes//bad' });
  await using server = await start();
  const ask = requester(server);
  const { body } = await ask('POST', NODES, { metadata: { name: 'good' } });
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  expect((await ask('DELETE', `${NODES}/bad`, IGNORE)).status).toBe(200);
  const table = requester(server, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' });
  expect(await watched(table, `${NODES}?resourceVersion=${resourceVersion}`)).toMatch(/DELETED.*"cells":\["bad"/);
});
