import { expect, test } from 'vitest';
import type { WatchEvent } from '#lib/client/list-watch.ts';
import { FOLLOWED, type FollowedType } from '#lib/server/channel/followed-types.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { LookedServer } from '#test/support/kubelet/looked-server.ts';
import { settled } from '#test/support/settled.ts';
import { lookingListWatch } from './looking-list-watch.ts';
import { Looks } from './looks.ts';

function aNode(type: FollowedType = 'pods') {
  const [server, clock, stop, faults] = [new LookedServer(), new ManualClock(), new AbortController(), [] as unknown[]];
  const looks = new Looks({
    look: (known) => server.look(known),
    clock,
    random: () => 0.5,
    frequency: () => 10_000,
    onFault: (error) => void faults.push(error),
  });
  const from = lookingListWatch(looks, type, server.listWatch, { found: () => undefined });
  const seen: string[] = [];
  const watch = async (): Promise<void> => {
    const tell = ({ type: what, object }: WatchEvent): void => {
      const { name } = object['metadata'] as { name: string };
      seen.push(`${what} ${name}`);
    };
    for await (const event of from.watch({ version: '1', timeout: 300, signal: stop.signal })) tell(event);
  };
  const run = looks.run(stop.signal);
  return { server, clock, stop, faults, looks, from, seen, watch, run };
}

test('emits additions, changes and removals after the next poll', async () => {
  const { server, clock, stop, from, seen, watch, run } = aNode();
  server.set('a', '2');
  await from.list({ limit: 500, next: '' });
  const ended = watch();
  await settled();
  expect(seen).toEqual([]);
  server.set('b', '3');
  server.set('a', '4');
  await settled();
  expect(seen).toEqual([]);
  clock.advance(10_000);
  await settled();
  expect(seen).toEqual(['MODIFIED a', 'ADDED b']);
  server.set('a', undefined);
  clock.advance(10_000);
  await settled();
  expect(seen).toEqual(['MODIFIED a', 'ADDED b', 'DELETED a']);
  stop.abort();
  await Promise.all([ended, run]);
});

test('polls at once after a notification', async () => {
  const { server, stop, from, looks, seen, watch, run } = aNode();
  await from.list({ limit: 500, next: '' });
  const ended = watch();
  await settled();
  server.set('a', '2');
  looks.lookNow();
  await settled();
  expect(seen).toEqual(['ADDED a']);
  stop.abort();
  await Promise.all([ended, run]);
});

test("does not list while the node's objects are unchanged, even if others change", async () => {
  const { server, clock, stop, from, watch, run } = aNode();
  server.set('a', '2');
  await from.list({ limit: 500, next: '' });
  const ended = watch();
  await settled();
  for (let i = 0; i < 5; i++) {
    server.version++; // pods of other nodes
    clock.advance(10_000);
    await settled();
  }
  expect(server.lists).toBe(1);
  expect(server.asked.length).toBeGreaterThan(5);
  stop.abort();
  await Promise.all([ended, run]);
});

test('requests the changes of a type that it follows completely', async () => {
  const { server, stop, from, looks, watch, run } = aNode('services');
  await from.list({ limit: 500, next: '' });
  const ended = watch();
  await settled();
  expect(server.lists).toBe(1);
  looks.lookNow();
  await settled();
  expect(server.lists).toBe(1);
  stop.abort();
  await Promise.all([ended, run]);
});

test('reports a failed poll and finds the same changes in the next one', async () => {
  const { server, clock, stop, faults, from, seen, watch, run } = aNode();
  await from.list({ limit: 500, next: '' });
  const ended = watch();
  await settled();
  server.set('a', '2');
  server.isDown = true;
  clock.advance(10_000);
  await settled();
  expect(faults).toEqual([new Error('down')]);
  server.isDown = false;
  clock.advance(10_000);
  await settled();
  expect(seen).toEqual(['ADDED a']);
  stop.abort();
  await Promise.all([ended, run]);
});

test('recovers from a list that failed after a poll when the watch restarts', async () => {
  const { server, stop, from, looks, seen, watch, run } = aNode();
  await from.list({ limit: 500, next: '' });
  const list = server.listWatch.list;
  const failing = watch();
  await settled();
  server.set('a', '2');
  Object.assign(server.listWatch, { list: () => Promise.reject(new Error('down')) });
  looks.lookNow();
  await expect(failing).rejects.toThrow('down');
  Object.assign(server.listWatch, { list });
  const ended = watch();
  await settled();
  expect(seen).toEqual(['ADDED a']);
  stop.abort();
  await Promise.all([ended, run]);
});

test('sends every known version', async () => {
  const { server, clock, stop, run } = aNode();
  await settled();
  clock.advance(10_000);
  await settled();
  expect(server.asked).toEqual([{}, Object.fromEntries(FOLLOWED.map((type) => [type, '1']))]);
  stop.abort();
  await run;
});
