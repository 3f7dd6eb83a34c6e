import { expect, test } from 'vitest';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryStore } from '../memory/store.ts';
import { overriding, put, show, summarize } from './builders.ts';
import { Follower } from './follower.ts';
import { ResourceCache } from './resource-cache.ts';
import { Watcher } from './watcher.ts';

const PODS = 'main//pods/';
const A = `${PODS}default/a`;
const retention = 3_600_000;

test('misses no change that is committed while the end of the log is read', async () => {
  const clock = new ManualClock();
  const inner = new MemoryStore({ clock, retention }).sequence('pods');
  const other = new ResourceCache({ sequence: inner, clock, summarize, retention });
  let reads = 0;
  const sequence = overriding(inner, {
    readLog: async (after, options) => {
      const page = await inner.readLog(after, options);
      if (++reads > 1) return page;
      await other.mutate(A, put(A, '1'));
      await follower.begin();
      return page;
    },
  });
  const silent = { onActive: () => {}, onApplied: () => {} };
  const follower = new Follower({ sequence, clock, summarize, exclusive: false, retention, ...silent });
  const request = { prefix: PODS, after: 1, bookmarks: false, signal: new AbortController().signal };
  const watch = new Watcher({ sequence, follower, request, ready: async () => {}, checkOpen: () => {} });
  const { value } = await watch.next();
  expect(value?.type === 'ADDED' && show(value.object)).toBe('a=1@2');
  await watch.return();
  other.close();
});
