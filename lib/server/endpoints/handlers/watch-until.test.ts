import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { NAMESPACES } from '#lib/api/types/resources.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { listWatch } from '#lib/client/list-watch.ts';
import { nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { settled } from '#test/support/settled.ts';

let server: Apiserver;
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
  ({ server } = serverInProcess({ clock, tokens: new Map([['admin', { name: 'admin', groups: [SYSTEM_MASTERS] }]]) }));
});
afterEach(() => server.close());

const options = () => ({ handle: server.handle.bind(server), token: 'admin', userAgent: 'test' });
const signal = new AbortController().signal;

/** Creates namespaces. Returns the version of each. */
async function made(...names: readonly string[]): Promise<string[]> {
  const client = apiClient(options());
  const versions: string[] = [];
  for (const name of names) versions.push(resourceVersionOf(await client.create(NAMESPACES, { metadata: { name } })));
  return versions;
}

/** Returns the events of a watch from one version until another, up to its end. */
async function watched(version: string, until: string): Promise<string[]> {
  const events: string[] = [];
  const from = { version, until, timeout: 300, signal };
  for await (const { type, object } of listWatch(options(), NAMESPACES, '').watch(from))
    events.push(`${type} ${nameOf(object)}`);
  return events;
}

test('ends a watch right after its last version, and sends all changes before that', async () => {
  const [first = '', , last = ''] = await made('a', 'b', 'c');
  expect(await watched(first, last)).toEqual(['ADDED b', 'ADDED c']);
});

test('ends a watch at once if its client already has the version', async () => {
  const [first = '', last = ''] = await made('a', 'b');
  expect(await watched(last, first)).toEqual([]);
  expect(await watched(last, last)).toEqual([]);
});

test('ends a watch after two seconds if the version does not arrive, whatever its timeout', async () => {
  const [first = ''] = await made('a');
  const watching = watched(first, String(Number(first) + 100));
  for (let i = 0; i < 3; i++) {
    await settled();
    clock.advance(1000);
  }
  expect((await watching).filter((event) => !event.startsWith('BOOKMARK'))).toEqual([]);
});

test('rejects a version that is not a number', async () => {
  const [first = ''] = await made('a');
  await expect(watched(first, 'x')).rejects.toThrow('strconv.ParseInt');
});
