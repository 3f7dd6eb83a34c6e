import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { maskedFrame, WebSocketClient } from '#test/support/web-socket.ts';
import { type RunningApiserver, startApiserver } from '../start-apiserver.ts';

const ROOMS = '/apis/rooms.example.com/v1/namespaces/default/rooms';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

const api = (greeting: string): string => `// @ts-nocheck
import { defineAggregatedApi, defineAggregatedResource, notFound } from '@davit-dev/davit/aggregated';
let reads = 0;
const signals = new Map();
export const rooms = defineAggregatedApi({
  name: 'rooms',
  group: 'rooms.example.com',
  version: 'v1',
  resources: [defineAggregatedResource({
    name: 'rooms',
    kind: 'Room',
    storage: { get: async (name) => ({ apiVersion: 'rooms.example.com/v1', kind: 'Room', metadata: { name }, spec: { reads } }) },
    subresources: {
      echo: {
        protocols: ['v2.rooms.example.com', 'v1.rooms.example.com'],
        connect: async (session, { name, namespace, query, user, log, signal }) => {
          if (name === 'none') throw notFound({ group: 'rooms.example.com', resource: 'rooms' }, name);
          signal.addEventListener('abort', () => log.info('left', { name }));
          await session.send(['${greeting}', session.protocol, namespace, name, query.get('q'), user.name].join(' '));
          for await (const message of session.messages) {
            if (message === 'bye') return;
            if (message === 'fail') throw new Error('the floor is wet');
            if (message === 'odd') await session.send(7);
            await session.send(message);
          }
        },
      },
      late: {
        connect: async (session) => {
          await session.send('here');
          await new Promise((resolve) => setTimeout(resolve, 600));
          await session.send('late');
        },
      },
      never: { connect: () => new Promise(() => undefined) },
      flood: {
        connect: async (session) => {
          for (;;) { await session.send(new Uint8Array(65536)); reads++; }
        },
      },
    },
  })],
});
`;

const folder = mkdtempSync(join(tmpdir(), 'davit-connect-'));
const logged: string[] = [];
const faults: string[] = [];
let server: RunningApiserver;
let send: Requester;

const start = (to = faults): Promise<RunningApiserver> => {
  const say = (message: string, fields: object = {}): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const reportFault = (id: string, error: unknown): void => void to.push(`${id}: ${String(error)}`);
  return startApiserver({
    functionsFolder: folder,
    log: { info: say, error: say },
    reportFault,
    functionLimits: { timeout: 400 },
  });
};
beforeAll(async () => {
  writeFileSync(join(folder, 'rooms.ts'), api('hello'));
  server = await start();
  send = requester(server);
});
beforeEach(() => void logged.splice(0));
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
  expect(faults).toEqual([]);
});

const open = (path: string, headers = {}): Promise<WebSocketClient> =>
  WebSocketClient.open(server, `${ROOMS}/${path}`, headers);
const says = (client: WebSocketClient, text: string): void => client.send(maskedFrame(OPCODE.text, text));
const hasLogged = (text: string) =>
  eventually(
    () => logged.some((line) => line.includes(text)),
    () => logged.join('\n'),
  );

test('carries text and bytes in both directions, along with the original request', async () => {
  const client = await open('a/echo?q=x');
  expect(await client.next()).toBe('1:hello  default a x admin');
  says(client, 'ä');
  client.send(maskedFrame(OPCODE.binary, Uint8Array.of(0, 255)));
  expect([await client.next(), await client.next()]).toEqual(['1:ä', '2:\x00\xff']);
  says(client, 'bye');
  expect([await client.next(), await client.next()]).toEqual(['8:1000', 'end']);
});

test('lasts longer than a call may', async () => {
  const client = await open('a/late');
  expect([await client.next(), await client.next(), await client.next()]).toEqual(['1:here', '1:late', '8:1000']);
});

test.each([
  ['v0.rooms.example.com, v1.rooms.example.com', 'v1.rooms.example.com'],
  ['v1.rooms.example.com, v2.rooms.example.com', 'v1.rooms.example.com'],
])('agrees on the first declared subprotocol of %s', async (offered, agreed) => {
  const client = await open('a/echo', { 'sec-websocket-protocol': offered });
  expect(client.answer.headers['sec-websocket-protocol']).toBe(agreed);
  expect(await client.next()).toContain(`hello ${agreed} `);
  client.close();
});

test.each<[string, string, Record<string, string>, RegExp]>([
  ['a subprotocol that is not declared', 'a/echo', { 'sec-websocket-protocol': 'v9' }, /^403$/],
  [
    'what its author refuses before the first message',
    'none/echo',
    {},
    /^404 .*rooms.rooms.example.com \\"none\\" not found/,
  ],
  ['a request for another protocol', 'a/echo', { upgrade: 'SPDY/3.1' }, /^400 .*Upgrade request required/],
  ['a subresource of no resource', 'a/none', {}, /^404/],
])('rejects %s with an error', async (_, path, headers, answer) => {
  await expect(open(path, headers)).rejects.toThrow(answer);
});

test('rejects a request without an upgrade, or to create', async () => {
  expect(await send('GET', `${ROOMS}/a/echo`)).toMatchObject({
    status: 400,
    body: { message: 'Upgrade request required' },
  });
  expect((await send('POST', `${ROOMS}/a/echo`)).status).toBe(405);
});

test('requires permission to get the subresource', async () => {
  const amy = { 'impersonate-user': 'amy' };
  await expect(open('a/echo', amy)).rejects.toThrow(/^403 .*cannot get resource \\"rooms\/echo\\"/);
  await send('POST', `${RBAC}/clusterroles`, {
    metadata: { name: 'talks' },
    rules: [{ apiGroups: ['rooms.example.com'], resources: ['rooms/echo'], verbs: ['get'] }],
  });
  await send('POST', `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'amy-talks' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'talks' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'amy' }],
  });
  const client = await open('a/echo', amy);
  expect(await client.next()).toMatch(/amy$/);
  client.close();
  await expect(open('a/late', amy)).rejects.toThrow(/^403/);
});

test.each(['fail', 'odd'])(
  'closes with an internal error if its author fails (%s), and logs the reason',
  async (word) => {
    const client = await open('a/echo');
    await client.next();
    says(client, word);
    expect([await client.next(), await client.next()]).toEqual(['8:1011', 'end']);
    await hasLogged(word === 'fail' ? 'the floor is wet' : 'a message of a session is a string or a Uint8Array');
  },
);

test.each([
  ['closes', (client: WebSocketClient) => client.close()],
  ['goes away', (client: WebSocketClient) => client.leave()],
  ['breaks the protocol', (client: WebSocketClient) => client.send(Buffer.from('GET / HTTP/1.1'))],
])("aborts the author's signal without a failure when the client %s", async (how, end) => {
  const client = await open(`${how.replace(/ /g, '-')}/echo`);
  await client.next();
  end(client);
  await hasLogged('left');
  const again = await open('a/echo');
  expect(await again.next()).toContain('hello');
  again.close();
  expect(logged.filter((line) => !line.startsWith('left'))).toEqual([]);
});

test('makes its author wait for a client that does not read', async () => {
  const client = await open('a/flood');
  const sent = async (): Promise<number> => {
    const { spec } = (await send('GET', `${ROOMS}/a`)).body as { spec: { reads: number } };
    return spec.reads;
  };
  let last = -1;
  await eventually(async () => {
    const now = await sent();
    const isStill = now > 0 && now === last;
    last = now;
    return isStill;
  });
  expect(last * 65536).toBeLessThan(32 * 1024 * 1024);
  client.leave();
});

test('ends when its file is reloaded, and the client can reconnect', async () => {
  const client = await open('a/echo');
  expect(await client.next()).toContain('hello');
  writeFileSync(join(folder, 'rooms.ts'), api('welcome'));
  expect([await client.next(), await client.next()]).toEqual(['8:1012', 'end']);
  await eventually(async () => {
    const again = await open('a/echo');
    const greeting = await again.next();
    again.close();
    return greeting.includes('welcome');
  });
});

test('ends with its thread, which also ends if another session does not start in time', async () => {
  const own: string[] = [];
  const other = await start(own);
  const client = await WebSocketClient.open(other, `${ROOMS}/a/echo`);
  await client.next();
  await expect(WebSocketClient.open(other, `${ROOMS}/a/never`)).rejects.toThrow(/^500/);
  expect([await client.next(), await client.next()]).toEqual(['8:1011', 'end']);
  await other.close();
  expect(own).toEqual([expect.stringContaining('rooms did not answer after 400 ms')]);
});

test('ends with the server', async () => {
  const other = await start();
  const client = await WebSocketClient.open(other, `${ROOMS}/a/echo`);
  await client.next();
  const closed = other.close();
  expect([await client.next(), await client.next()]).toEqual(['8:1001', 'end']);
  await closed;
});
