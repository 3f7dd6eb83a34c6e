import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HttpServer } from '#adapters/server/http/server.ts';
import { decodeUnknown } from '#lib/api/codec/protobuf/envelope.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { coreInProcess, TOKEN } from '#test/clients/integration/apiserver/in-process.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Reached, type Requester, requester } from '#test/support/requester.ts';
import { RETENTION } from '#test/support/server-in-process.ts';
import { ASKING, maskedFrame, WebSocketClient } from '#test/support/web-socket.ts';
import { OPCODE } from '../web-socket/frame.ts';
import { overWebSocket } from './watch-web-socket.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Event {
  readonly type: string;
  readonly object: JsonObject;
}

let clock: ManualClock;
let core: Awaited<ReturnType<typeof coreInProcess>>;
let http: HttpServer;
let server: Reached;
let ask: Requester;
beforeEach(async () => {
  clock = new ManualClock();
  core = await coreInProcess(clock);
  const { handle, faults } = core;
  const onFault = (error: unknown): void => void faults.push(error);
  http = await HttpServer.listen({ host: '127.0.0.1', port: 0, gzip: false, handle, onFault });
  server = { url: `http://127.0.0.1:${http.port}`, adminToken: TOKEN, certificateAuthority: '' };
  ask = requester(server);
  await ask('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  await ask('POST', MAPS, aMap('old'));
});
afterEach(async () => {
  await http.close();
  await core.close();
  expect(core.faults).toEqual([]);
});

const aMap = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const open = (query = '', headers: Readonly<Record<string, string>> = {}): Promise<WebSocketClient> =>
  WebSocketClient.open(server, `${MAPS}?watch=1${query}`, headers);
const shown = ({ type, object }: Event): string =>
  `${type} ${stringAt(objectAt(object, 'metadata'), 'name') ?? ''}`.trim();
const nextOf = async (socket: WebSocketClient): Promise<string> => shown(await socket.event<Event>());

/** Returns the metric's non-zero samples, without labels that are empty or identical for all. */
async function metric(name: string): Promise<string[]> {
  const { body } = await ask('GET', '/metrics');
  return String(body['text'])
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes('configmaps') && !line.endsWith(' 0'))
    .map((line) => `${/verb="(\w+)"/.exec(line)?.[1] ?? ''} ${/code="(\d+)"/.exec(line)?.[1] ?? ''}`.trim())
    .filter((line) => line.startsWith('WATCH'));
}

describe('a watch as a WebSocket', () => {
  test('sends each event as one text message, and closes at its end', async () => {
    const socket = await open('&timeoutSeconds=60');
    expect(socket.answer.headers).toMatchObject({ upgrade: 'websocket', 'sec-websocket-accept': expect.any(String) });
    expect(socket.answer.headers).not.toHaveProperty('sec-websocket-protocol');
    expect(await nextOf(socket)).toBe('ADDED old');
    await ask('POST', MAPS, aMap('new'));
    await ask('PATCH', `${MAPS}/new`, { data: { a: 'b' } });
    await ask('DELETE', `${MAPS}/new`);
    expect(await socket.next()).toMatch(/^1:\{"type":"ADDED","object":\{"kind":"ConfigMap"[^\n]*\}\}\n$/);
    expect([await nextOf(socket), await nextOf(socket)]).toEqual(['MODIFIED new', 'DELETED new']);
    clock.advance(60_000);
    expect([await socket.next(), await socket.next()]).toEqual(['8:1000', 'end']);
  });

  test('marks the end of its initial events', async () => {
    const query = '&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const socket = await open(query);
    expect(await nextOf(socket)).toBe('ADDED old');
    const { type, object } = await socket.event<Event>();
    expect([type, objectAt(objectAt(object, 'metadata'), 'annotations')]).toEqual([
      'BOOKMARK',
      { 'k8s.io/initial-events-end': 'true' },
    ]);
    socket.leave();
  });

  test('sends protobuf events as binary messages without length prefixes', async () => {
    const socket = await open('', { accept: PROTOBUF });
    const message = await socket.next();
    expect(message.startsWith('2:\n\x05ADDED')).toBe(true); // a field of a WatchEvent, and no length before it
    const envelope = Buffer.from(message.slice(message.indexOf('k8s\0')), 'latin1');
    expect(decodeUnknown(envelope)).toMatchObject({ kind: 'ConfigMap' });
    socket.leave();
  });

  test('sends events as Tables', async () => {
    const socket = await open('', { accept: TABLE });
    const { object } = await socket.event<Event>();
    expect(object).toMatchObject({ kind: 'Table', rows: [{ cells: ['old', 0, expect.any(String)] }] });
    socket.leave();
  });

  test('reports an expired version and closes', async () => {
    const { body } = await ask('GET', MAPS);
    const old = stringAt(objectAt(body, 'metadata'), 'resourceVersion') ?? '';
    for (let i = 0; i < 3; i++) {
      await ask('POST', MAPS, aMap(`later-${i}`));
      for (const name of await core.store.names()) await core.store.sequence(name).compact();
      clock.advance(2 * RETENTION);
    }
    const socket = await open(`&resourceVersion=${old}`);
    expect(await socket.event<Event>()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect([await socket.next(), await socket.next()]).toEqual(['8:1000', 'end']);
  });

  test('accepts the only subprotocol that the client offers', async () => {
    const socket = await open('', { 'sec-websocket-protocol': 'v1.test' });
    expect(socket.answer.headers['sec-websocket-protocol']).toBe('v1.test');
    socket.leave();
  });

  test('authenticates a browser with the token in its subprotocols, and never returns that subprotocol', async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from(TOKEN).toString('base64url')}`;
    const socket = await open('', { authorization: '', 'sec-websocket-protocol': `${token}, v1.test` });
    expect(socket.answer.headers['sec-websocket-protocol']).toBe('v1.test');
    socket.leave();
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['without credentials', '', { authorization: '' }, '403 {"kind":"Status"'],
    ['in YAML', '', { accept: 'application/yaml' }, '406 apiVersion: v1'],
    ['with an invalid version', '&resourceVersion=x', {}, '500 {"kind":"Status"'],
    ['without an origin', '', { origin: '' }, '403'],
    ['with several subprotocols', '', { 'sec-websocket-protocol': 'a, b' }, '400'],
    [
      'of another version of the protocol',
      '',
      { 'sec-websocket-version': '12' },
      '400 missing or bad WebSocket Version',
    ],
  ])('rejects %s over HTTP', async (_, query, headers, told) => {
    await expect(open(query, headers)).rejects.toThrow(told);
  });

  test('counts as a watch until its client closes it', async () => {
    const socket = await open();
    expect(await nextOf(socket)).toBe('ADDED old');
    expect(await metric('apiserver_longrunning_requests')).toEqual(['WATCH']);
    socket.send(maskedFrame(OPCODE.ping, 'there?'));
    expect(await socket.next()).toBe('10:there?');
    socket.close();
    expect([await socket.next(), await socket.next()]).toEqual(['8:1000', 'end']);
    await eventually(async () => expect(await metric('apiserver_longrunning_requests')).toEqual([]));
    expect(await metric('apiserver_request_total')).toEqual(['WATCH 101']);
  });

  test('ends when its client disconnects, and when the server shuts down', async () => {
    const left = await open();
    expect(await nextOf(left)).toBe('ADDED old');
    const open2 = await open('&allowWatchBookmarks=true');
    expect(await nextOf(open2)).toBe('ADDED old');
    left.leave();
    await eventually(async () => expect(await metric('apiserver_request_total')).toEqual(['WATCH 101']));
    const closed = http.close();
    expect(await nextOf(open2)).toBe('BOOKMARK');
    expect([await open2.next(), await open2.next()]).toEqual(['8:1000', 'end']);
    await closed;
  });

  test("works with Node's WebSocket client", async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, origin: 'https://console.test' };
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${MAPS}?watch=1`, { headers });
    const [message] = (await once(socket, 'message')) as [MessageEvent];
    expect(shown(JSON.parse(String(message.data)) as Event)).toBe('ADDED old');
    const closed = once(socket, 'close') as Promise<[CloseEvent]>;
    socket.close(1000, 'enough');
    const [{ code, wasClean }] = await closed;
    expect([code, wasClean]).toEqual([1000, true]);
  });
});

test.each(['websocket', 'WebSocket'])(
  'immediately ends a watch that requests a %s if the front door cannot switch protocols',
  async (upgrade) => {
    const never = () => Promise.reject(new Error('opened'));
    const answer = await overWebSocket({ headers: { ...ASKING, upgrade } } as unknown as ApiRequest, never);
    expect([answer.status, answer.body]).toEqual([200, '']);
  },
);
