import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHead } from '#adapters/aws/lambda/answer-head.ts';
import { answerEvent } from '#adapters/aws/lambda/door.ts';
import { functionUrlRequest } from '#adapters/aws/lambda/function-url.ts';
import { functionUrlEvent, PlatformStream } from '#adapters/aws/lambda/testing.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { HttpServer } from '#adapters/server/http/server.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { memoryWatchSlots } from '#lib/server/flowcontrol/memory-watch-slots.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Apiserver, buildApiserver } from './wiring.ts';

const RESERVED = 100;
const SLOTS = 60;

const served = () => ({
  store: new MemoryStore({ clock, retention: 3_600_000 }),
  clock,
  exclusive: true,
  cacheBytes: 64 * 1024 * 1024,
  serverAddress: 'localhost:443',
  tokens: new Map([['admin', { name: 'admin', groups: [SYSTEM_MASTERS] }]]),
  reportFault: (_: string, error: unknown) => console.error(error),
});

let server: Apiserver;
let running: number;
let ending: AbortController;
beforeEach(() => {
  running = 0;
  ending = new AbortController();
  server = buildApiserver({ ...served(), watches: { maxSeconds: 300, slots: memoryWatchSlots(SLOTS, clock) } });
});
afterEach(async () => {
  ending.abort();
  await server.close();
});

/** Sends one request to the function and reads the response to its end. The platform rejects requests beyond the reserved concurrency. */
async function ask(
  target: string,
  options: { stays?: boolean } = {},
): Promise<{ status: number; retry?: string | undefined }> {
  if (running >= RESERVED) return { status: 503 };
  running++;
  const headers = [['authorization', 'Bearer admin']] as const;
  const stream = new PlatformStream();
  ending.signal.addEventListener('abort', () => stream.destroy());
  const answer = answerEvent(
    { toRequest: functionUrlRequest, handle: server.handle, vouched: () => undefined },
    functionUrlEvent({ target, headers }),
    { stream, withHead: PlatformStream.withHead, context: { getRemainingTimeInMillis: () => 900_000 } },
  ).finally(() => running--);
  const { head } = await readHead(stream);
  stream.resume();
  if (options.stays !== true || head.statusCode !== 200) await answer;
  return { status: head.statusCode, retry: head.headers['retry-after'] };
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

test('frees the slot of a watch as soon as its connection is closed', async () => {
  const one = buildApiserver({ ...served(), watches: { slots: memoryWatchSlots(1, clock) } });
  const on = { host: '127.0.0.1', port: 0, gzip: false };
  const http = await HttpServer.listen({ ...on, handle: one.handle, onFault: console.error });
  const open = (signal: AbortSignal): Promise<Response> =>
    fetch(`http://127.0.0.1:${http.port}${CONFIG_MAPS}?watch=1`, {
      headers: { authorization: 'Bearer admin' },
      signal,
    });
  const leaving = new AbortController();
  expect((await open(leaving.signal)).status).toBe(200);
  expect((await open(ending.signal)).status).toBe(429);
  leaving.abort();
  await eventually(async () => expect((await open(ending.signal)).status).toBe(200));
  ending.abort();
  await http.close();
  await one.close();
});

test('opens 60 of 100 watches and rejects 40 with a retry, while 1,000 GETs succeed, 40 at a time', async () => {
  const watches = await Promise.all(
    Array.from({ length: 100 }, () => ask(`${CONFIG_MAPS}?watch=1&timeoutSeconds=300`, { stays: true })),
  );
  const open = watches.filter(({ status }) => status === 200);
  const refused = watches.filter(({ status, retry }) => status === 429 && Number(retry) > 0);
  expect([open.length, refused.length, running]).toEqual([SLOTS, RESERVED - SLOTS, SLOTS]);

  const statuses: number[] = [];
  const client = async (): Promise<void> => {
    for (let next = statuses.length; next < 1000; next = statuses.length) {
      statuses.push(0);
      statuses[next] = (await ask(CONFIG_MAPS)).status;
    }
  };
  await Promise.all(Array.from({ length: 40 }, client));
  expect(statuses).toEqual(Array.from({ length: 1000 }, () => 200));
});
