import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock as clock } from '#adapters/clock.ts';
import { functionUrlRequest } from '#adapters/lambda/function-url.ts';
import { restRequest } from '#adapters/lambda/rest.ts';
import { answered, functionUrlEvent, restEvent, type Received, type Sent } from '#adapters/lambda/testing.ts';
import { SYSTEM_MASTERS } from '#lib/authentication/user.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { buildApiserver, type Apiserver } from './wiring.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
/** Bytes of an answer that the front door of these tests passes on, and of each of three objects. */
const MAX = 2_000_000;
const LARGE = 900_000;
const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

let server: Apiserver;
const serverOver = (store: MemoryStore): Apiserver =>
  buildApiserver({
    store,
    clock,
    exclusive: false,
    cacheBytes: 64 * 1024 * 1024,
    serverAddress: 'localhost:443',
    tokens: new Map([['admin', { name: 'admin', groups: [SYSTEM_MASTERS] }]]),
    lists: { maxBytes: MAX },
    reportFault: (_, error) => console.error(error),
  });

const vouched = (): undefined => undefined;
const DOORS: readonly [string, (sent: Sent) => Promise<Received>][] = [
  [
    'a function URL',
    (sent) => answered({ toRequest: functionUrlRequest, handle: server.handle, vouched }, functionUrlEvent(sent)),
  ],
  ['a REST API', (sent) => answered({ toRequest: restRequest, handle: server.handle, vouched }, restEvent(sent))],
];

describe.each(DOORS)('lists longer than %s streams', (_, send) => {
  const ask = (accept: string, query = '', headers: Sent['headers'] = []): Promise<Received> =>
    send({ target: MAPS + query, headers: [['authorization', 'Bearer admin'], ['accept', accept], ...headers] });
  const codeAndText = async (answer: Promise<Received>): Promise<string> => {
    const { status, body } = await answer;
    return `${status} ${body.toString('latin1')}`;
  };
  const TOO_LONG = /^413 .*limit is 2000000 bytes in one answer: list in smaller pages by .?"limit.?", or accept gzip/s;

  beforeEach(async () => {
    const store = new MemoryStore({ clock, retention: 3_600_000 });
    server = serverOver(store);
    const create = async (target: string, object: object): Promise<void> => {
      const headers = [
        ['authorization', 'Bearer admin'],
        ['content-type', JSON_TYPE],
      ] as const;
      const body = Buffer.from(JSON.stringify(object));
      expect((await send({ method: 'POST', target, headers, body })).status).toBe(201);
    };
    await create('/api/v1/namespaces', { metadata: { name: 'default' } });
    for (let i = 0; i < 3; i++) await create(MAPS, { metadata: { name: `m${i}` }, data: { text: 'x'.repeat(LARGE) } });
    await store.sequence('main//configmaps').compact();
    await server.close();
    server = serverOver(store);
  });
  afterEach(() => server.close());

  test('are refused before their first byte, once they are known', async () => {
    await expect(ask(JSON_TYPE)).rejects.toThrow('limit is 2000000 bytes'); // it breaks off: nobody knew
    for (const query of ['', '', '?limit=500']) expect(await codeAndText(ask(JSON_TYPE, query))).toMatch(TOO_LONG);
  });

  test('are refused as protobuf, whose length is always known', async () => {
    expect(await codeAndText(ask(PROTOBUF))).toMatch(TOO_LONG);
  });

  test.each([
    ['pages', JSON_TYPE, '?limit=2', []],
    ['tables', 'application/json;as=Table;v=v1;g=meta.k8s.io', '', []],
    ['compressed lists', JSON_TYPE, '', [['accept-encoding', 'gzip']]],
  ] as const)('are served as %s', async (_name, accept, query, headers) => {
    for (let i = 0; i < 3; i++) expect((await ask(accept, query, headers)).status).toBe(200);
  });
});
