import { describe, expect, test } from 'vitest';
import { violations } from './checker.ts';
import type { Event, History, Seen } from './history.ts';

const added = (version: number, key: string, op: string): Seen => ({ version, key, type: 'ADDED', op, count: 1 });
const LOG: readonly Seen[] = [
  added(2, 'a', 'w1-1'),
  added(3, 'b', 'w2-1'),
  { version: 4, key: 'a', type: 'MODIFIED', op: 'w2-2', count: 2, previous: 2 },
  { version: 6, key: 'b', type: 'DELETED', op: 'w1-2', count: 2, previous: 3 },
];
const W1: readonly Event[] = [
  { kind: 'send', ops: ['w1-1'], t: 10 },
  { kind: 'ack', ops: ['w1-1'], first: 2, last: 2, t: 20 },
  { kind: 'send', ops: [], t: 45 },
  { kind: 'ack', ops: [], first: 5, last: 5, t: 46 },
  { kind: 'send', ops: ['w1-2'], t: 50 },
  { kind: 'ack', ops: ['w1-2'], first: 6, last: 6, t: 60 },
];
const W2: readonly Event[] = [
  { kind: 'send', ops: ['w2-1', 'w2-2'], t: 15 },
  { kind: 'ack', ops: ['w2-1', 'w2-2'], first: 3, last: 4, t: 40 },
  { kind: 'fresh', key: 'a', version: 4, at: 5, since: 47, t: 48 },
  { kind: 'fresh', key: 'b', at: 6, since: 61, t: 62 },
];
const R1: readonly Event[] = [
  { kind: 'load', at: 2, state: [['a', 2]] },
  { kind: 'seen', changes: LOG.slice(1, 3), last: 5 },
  { kind: 'seen', changes: LOG.slice(3), last: 6 },
  { kind: 'load', at: 6, state: [['a', 4]] },
];

const histories = (over: Partial<Record<'w1' | 'w2' | 'r1', readonly Event[]>> = {}): History[] =>
  Object.entries({ w1: W1, w2: W2, r1: R1, ...over }).map(([actor, events]) => ({ actor, events }));
const seen = (changes: readonly Seen[], last: number): Event => ({ kind: 'seen', changes, last });
const at = <T>(list: readonly T[], i: number): T => list[i] as T;

test('finds no violation in a correct history', () => {
  expect(violations(LOG, histories())).toEqual([]);
});

describe('the checker', () => {
  test.each<[string, readonly Seen[], History[], RegExp]>([
    ['a log that goes back', [at(LOG, 1), at(LOG, 0), ...LOG.slice(2)], histories(), /order: 2 comes behind 3/],
    ['two changes of one version', [...LOG, { ...added(6, 'c', 'w1-2') }], histories(), /order: 6 comes behind 6/],
    ['an operation that was committed twice', [...LOG, added(7, 'c', 'w1-2')], histories(), /w1-2 is in the log twice/],
    [
      'a stale writer that builds upon what is gone',
      [...LOG.slice(0, 3), { ...at(LOG, 3), key: 'a', previous: 2, count: 2, type: 'MODIFIED' }],
      histories({ w2: W2.slice(0, 2), r1: [] }),
      /chain: w1-2 at 6 builds upon 2, not 4/,
    ],
    [
      'a create of what is there',
      [...LOG.slice(0, 2), added(4, 'a', 'w2-2'), at(LOG, 3)],
      histories({ r1: [] }),
      /chain: w2-2 at 4 builds upon undefined, not 2/,
    ],
    ['a change that nobody sent', [...LOG, added(7, 'c', 'ghost')], histories(), /ghost at 7 was never sent/],
    ['an acknowledged write that is lost', LOG.slice(0, 3), histories({ r1: [] }), /ack: 6 is undefined, but w1-2/],
    [
      'a position that was written again',
      [...LOG.slice(0, 3), { ...at(LOG, 3), op: 'w2-2b' }],
      histories({ r1: [] }),
      /ack: 6 is w2-2b, but w1-2 was acknowledged/,
    ],
    [
      'a position that two were acknowledged',
      LOG,
      histories({ w2: [...W2, { kind: 'ack', ops: [], first: 5, last: 5, t: 70 }] }),
      /ack: 5 is acknowledged twice/,
    ],
    [
      'an acknowledged empty entry where a change is',
      LOG,
      histories({ w2: [...W2, { kind: 'ack', ops: [], first: 6, last: 6, t: 70 }] }),
      /ack: 6 is w1-2, but undefined/,
    ],
    [
      'a write that got a lower version than one that had ended',
      LOG,
      histories({ w1: [{ kind: 'send', ops: ['w1-1'], t: 41 }, ...W1.slice(1)] }),
      /time: w1-1 at 2 began after 4/,
    ],
    [
      'a fresh read that does not see an acknowledged write',
      LOG,
      histories({ w2: [...W2, { kind: 'fresh', key: 'a', version: 4, at: 5, since: 61, t: 62 }] }),
      /time: the read of a at 5 began after 6/,
    ],
    [
      'a read of what was only committed later',
      LOG,
      histories({ w2: [...W2.slice(0, 2), { kind: 'fresh', key: 'b', at: 6, since: 41, t: 42 }] }),
      /time: w1-2 at 6 began after 6/,
    ],
    [
      'a fresh read of another state',
      LOG,
      histories({ w2: [...W2, { kind: 'fresh', key: 'b', version: 3, at: 6, since: 70, t: 71 }] }),
      /fresh: b at 6 was read as 3, is undefined/,
    ],
    ['a watcher that skips one', LOG, histories({ r1: [at(R1, 0), seen(LOG.slice(2, 3), 5)] }), /watch: r1 behind 2/],
    [
      'a watcher that is shown one twice',
      LOG,
      histories({ r1: [at(R1, 0), seen([at(LOG, 1), at(LOG, 1), at(LOG, 2)], 5)] }),
      /watch: r1 behind 2/,
    ],
    [
      'a watcher that is shown one again after a page',
      LOG,
      histories({ r1: [...R1.slice(0, 2), seen(LOG.slice(2), 6)] }),
      /watch: r1 behind 5/,
    ],
    [
      'a watcher that is shown two in the wrong order',
      LOG,
      histories({ r1: [at(R1, 0), seen([at(LOG, 2), at(LOG, 1)], 5)] }),
      /watch: r1 behind 2/,
    ],
    [
      'a load that misses a change',
      LOG,
      histories({
        r1: [
          {
            kind: 'load',
            at: 4,
            state: [
              ['a', 2],
              ['b', 3],
            ],
          },
        ],
      }),
      /load: r1 at 4/,
    ],
    [
      'a load with a deleted key',
      LOG,
      histories({
        r1: [
          {
            kind: 'load',
            at: 6,
            state: [
              ['a', 4],
              ['b', 3],
            ],
          },
        ],
      }),
      /load/,
    ],
  ])('reports the violation of %s', (_, log, given, expected) => {
    expect(violations(log, given).join('\n')).toMatch(expected);
  });
});
