import { describe, expect, test } from 'vitest';
import { ManualClock } from '../memory/manual-clock.ts';
import { MemoryStore } from '../memory/store.ts';
import { aBody, summarize } from './builders.ts';
import { Replica } from './replica.ts';
import { SortedMap } from './sorted-map.ts';
import { WatchHub } from './watch-hub.ts';

const KEY = 'main//pods/a/x';
const keys = new Set([KEY]);

function aReplica() {
  const clock = new ManualClock();
  const sequence = new MemoryStore({ clock, retention: 600_000 }).sequence('pods');
  const replica = new Replica(new WatchHub(() => undefined), clock);
  const write = async (text: string) => {
    const body = aBody('x', text);
    const proposal = { key: KEY, type: 'ADDED', body, ...summarize(body) } as const;
    await sequence.append(await sequence.head(), [proposal], { nonce: text });
    return sequence.head();
  };
  return { sequence, replica, write };
}

describe('a key that is being read when the replica is reset', () => {
  test.each([
    ['reads a newer head', (replica: Replica, head: number) => replica.begin(head)],
    [
      'is loaded and evicted',
      (replica: Replica, head: number) => {
        replica.attach(new SortedMap(), { bytes: 0, at: head, damaged: new Set() });
        replica.detach();
      },
    ],
  ])('is not treated as known if the replica %s afterwards', async (_, resume) => {
    const { sequence, replica, write } = aReplica();
    replica.begin(await write('old'));
    const holding = replica.hold(sequence, KEY, summarize);
    replica.reset();
    await holding;
    resume(replica, await write('new'));
    expect(replica.knows(keys)).toBe(false);
    await replica.hold(sequence, KEY, summarize);
    expect(replica.knows(keys)).toBe(true);
    expect(replica.lookup(KEY)?.version).toBe(await sequence.head());
  });
});
