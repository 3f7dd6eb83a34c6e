import { describe, expect, test } from 'vitest';
import { asObject, type Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { MemoryDisk, MemoryStore } from '#lib/storage/memory/store.ts';
import { checkFits } from './check.ts';
import { QuotaLedger } from './ledger.ts';
import {
  beginCount,
  decodeLedger,
  EMPTY,
  encodeLedger,
  endCount,
  type LedgerState,
  RESERVATION_LIFETIME,
  reserve,
  revert,
  settle,
  usedOf,
} from './ledger-state.ts';

const one: Usage = new Map([['pods', '1']]);
const counted = (pods: string): LedgerState => ({ ...EMPTY, counted: new Map([['q', new Map([['pods', pods]])]]) });
const taken = (uid: string, at = 1_000_000) => ({ at, uid, more: new Map([['q', one]]) });
const used = (state: LedgerState | undefined): string | undefined =>
  state === undefined ? undefined : usedOf(state, 'q')?.get('pods');
const count = (pods: string, seen: string[] = [], now = 1_000_000) => ({
  mark: 'm',
  used: new Map([['q', new Map([['pods', pods]])]]),
  saw: (uid: string) => seen.includes(uid),
  now,
});

describe('a reservation of quota', () => {
  test('counts from its creation', () => expect(used(reserve(counted('1'), 'r', taken('u')))).toBe('2'));
  test('still counts after its write succeeded', () => {
    const state = settle(reserve(counted('1'), 'r', taken('u')), 'r');
    expect([used(state), state.open.size, state.kept.size]).toEqual(['2', 0, 0]);
  });
  test('no longer counts after its write failed', () => {
    expect(used(revert(reserve(counted('1'), 'r', taken('u')), 'r'))).toBe('1');
  });
  test('has no effect on a quota that is not counted yet', () =>
    expect(used(reserve(EMPTY, 'r', taken('u')))).toBeUndefined());
  test('survives encoding and decoding', () => {
    const state = beginCount(settle(reserve(reserve(counted('1'), 'r', taken('u')), 's', taken('')), 's'), 'm');
    expect(decodeLedger(encodeLedger(state))).toEqual(state);
  });
});

describe('a count of usage', () => {
  const begun = beginCount(reserve(counted('1'), 'r', taken('u')), 'm');
  test('adds writes in progress that it did not see', () => expect(used(endCount(begun, count('1'))?.state)).toBe('2'));
  test('does not add writes in progress that it saw', () => {
    const ended = endCount(begun, count('2', ['u']))?.state;
    expect([used(ended), used(settle(ended ?? EMPTY, 'r'))]).toEqual(['2', '2']);
  });
  test('adds writes that ended during the count and were not counted, and requires another count', () => {
    const ended = endCount(settle(begun, 'r'), count('1'));
    expect([used(ended?.state), ended?.isExact]).toEqual(['2', false]);
  });
  test('does not add writes that ended during the count and were counted', () => {
    const ended = endCount(settle(begun, 'r'), count('2', ['u']));
    expect([used(ended?.state), ended?.isExact]).toEqual(['2', true]);
  });
  test('releases the reservations of a dead process', () => {
    const late = count('1', [], 1_000_000 + RESERVATION_LIFETIME);
    expect(used(endCount(begun, late)?.state)).toBe('1');
  });
  test('is void if another count has begun', () =>
    expect(endCount(beginCount(begun, 'n'), count('5'))).toBeUndefined());
});

describe.each([
  ['alone', true],
  ['beside others', false],
])('ledgers in one store, each process %s', (_title, exclusive) => {
  const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {} };
  const ledgersOf = (processes: number): QuotaLedger[] => {
    const disk = new MemoryDisk();
    return Array.from({ length: processes }, () => {
      const store = new MemoryStore({ clock, retention: 1000, disk });
      return new QuotaLedger({ cluster: 'main', clock, exclusive, sequence: (name) => store.sequence(name) });
    });
  };

  test('never lets 32 writers exceed the quota', async () => {
    const ledgers = ledgersOf(exclusive ? 1 : 4);
    await ledgers[0]?.change('here', () => counted('0'));
    const charge = { name: 'q', hard: new Map([['pods', '20']]), counted: ['pods'], more: one };
    const attempt = async (i: number): Promise<boolean> => {
      const ledger = ledgers[i % ledgers.length];
      const id = `r${i}`;
      const change = (state: LedgerState): LedgerState => {
        checkFits(charge, usedOf(state, 'q'));
        return reserve(state, id, taken(id));
      };
      return (ledger?.change('here', change) ?? Promise.reject(new Error('no ledger'))).then(
        () => true,
        () => false,
      );
    };
    const taken32 = await Promise.all(Array.from({ length: 32 }, (_, i) => attempt(i)));
    expect(taken32.filter(Boolean).length).toBe(20);
    for (const ledger of ledgers) {
      const state = await ledger.read('here');
      expect(asObject(usedOf(state, 'q') ?? new Map())).toEqual({ pods: '20' });
    }
  });

  test('keeps namespaces independent of each other', async () => {
    const [ledger] = ledgersOf(1);
    await ledger?.change('a', () => counted('1'));
    expect((await ledger?.read('b'))?.counted.size).toBe(0);
  });

  test('reports a rejection only to its caller', async () => {
    const [ledger] = ledgersOf(1);
    const heard: string[] = [];
    ledger?.onChange((namespace) => heard.push(namespace));
    const refused = ledger?.change('a', () => {
      throw new Error('no');
    });
    const [first, second] = await Promise.allSettled([refused, ledger?.change('a', () => counted('1'))]);
    expect([first.status, second.status, heard]).toEqual(['rejected', 'fulfilled', ['a']]);
  });
});
