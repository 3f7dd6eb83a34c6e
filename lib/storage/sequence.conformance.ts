import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_BODY_BYTES, MAX_CHANGES } from './limits.ts';
import {
  EPOCH,
  type AppendResult,
  type Change,
  type LogPage,
  type Proposal,
  type Sequence,
  type SequenceStore,
  type Snapshot,
  type Version,
} from './sequence.ts';
import { bodyOf, brief, proposal, SUMMARY } from './proposal.conformance.ts';
import { stampedVersion } from './stamp.ts';

/** One backend with empty data of its own. */
export interface Bench {
  /** Opens the data: each time as another process would. */
  open(): SequenceStore | Promise<SequenceStore>;
  /** Moves the clock of every store that was opened. */
  advance(milliseconds: number): void;
  /** Milliseconds that the stores keep entries. */
  readonly retention: number;
  dispose(): Promise<void> | void;
}

interface Item {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
}

/** What every implementation of Sequence must do. `empty` makes a bench of the backend for each test. */
export function sequenceConformance(backend: string, empty: () => Promise<Bench> | Bench): void {
  describe(`${backend} is a Sequence`, () => {
    let bench: Bench;
    let store: SequenceStore;
    let log: Sequence;
    const opened: SequenceStore[] = [];
    const another = async (): Promise<SequenceStore> => {
      const next = await bench.open();
      opened.push(next);
      return next;
    };
    beforeEach(async () => {
      bench = await empty();
      store = await another();
      log = store.sequence('main//things');
    });
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.close();
      await bench.dispose();
    });

    let nonces = 0;
    const nonce = (): { nonce: string } => ({ nonce: `nonce-${++nonces}` });
    /** Appends behind the head. */
    const put = async (...proposals: Proposal[]): Promise<Version> => {
      const result = await log.append(await log.head(), proposals, nonce());
      if (!result.ok) throw new Error('the position was taken');
      return result.last;
    };
    const all = (sequence = log): Promise<LogPage> => sequence.readLog(0, { limit: 1_000, consistent: true });
    const code = (expected: string) => expect.objectContaining({ name: 'StoreError', code: expected });
    const entriesOf = async ({ entries }: Snapshot): Promise<Item[]> => {
      const items: Item[] = [];
      for await (const item of entries) items.push(item);
      return items;
    };
    /** Everything old but the last entry goes. */
    const age = async (): Promise<void> => {
      bench.advance(bench.retention + 60_000);
      await log.compact();
    };

    describe('birth', () => {
      test('a sequence begins with an empty entry at 1', async () => {
        expect(await log.head()).toBe(1);
        expect(await all()).toEqual({ changes: [], last: 1, more: false });
      });

      test('it is born once, by however many', async () => {
        const stores = await Promise.all([another(), another(), another()]);
        const heads = await Promise.all(stores.map((each) => each.sequence('main//things').head()));
        expect(heads).toEqual([1, 1, 1]);
        expect((await all()).last).toBe(1);
      });

      test('any first use gives birth', async () => {
        await store.sequence('main//a').append(1, [proposal('a')], nonce());
        await store.sequence('main//b').snapshot({ prefix: '' });
        await store.sequence('main//c').readLog(0, { limit: 1, consistent: true });
        expect(await store.names()).toEqual(['main//a', 'main//b', 'main//c']);
      });

      test('the same name is the same sequence', () => {
        expect(store.sequence('main//things')).toBe(log);
      });
    });

    describe('append', () => {
      test('takes the position behind the head and stamps the body with it', async () => {
        expect(await log.append(1, [proposal('a')], nonce())).toEqual({ ok: true, first: 2, last: 2 });
        const { changes } = await all();
        expect(changes.map(({ body }) => stampedVersion(body))).toEqual([2]);
        expect(Buffer.from(changes[0]?.body ?? []).toString()).toBe(Buffer.from(bodyOf(2, { note: 'a' })).toString());
      });

      test('gives k changes k consecutive versions', async () => {
        const three = ['a', 'b', 'c'].map((name) => proposal(name));
        expect(await log.append(1, three, nonce())).toEqual({ ok: true, first: 2, last: 4 });
        expect(await log.append(4, [proposal('d')], nonce())).toEqual({ ok: true, first: 5, last: 5 });
        const page = await all();
        expect(brief(page.changes)).toEqual(['a@2', 'b@3', 'c@4', 'd@5']);
        expect(page.changes.map(({ body }) => stampedVersion(body))).toEqual([2, 3, 4, 5]);
      });

      test('an empty entry takes one position', async () => {
        expect(await log.append(1, [], nonce())).toEqual({ ok: true, first: 2, last: 2 });
        await put(proposal('a'));
        expect(await all()).toMatchObject({ changes: [{ version: 3 }], last: 3, more: false });
      });

      test('keeps all that a change says', async () => {
        const previous = { ...SUMMARY, version: 2, labels: { app: 'old' } };
        const owner = { uid: 'u', controller: true };
        const change = proposal('a', {
          type: 'DELETED',
          labels: { __proto__x: 'a', '': 'é😀' },
          generation: 7,
          ownerReferences: [owner],
          previous,
          previousBody: bodyOf(2, { note: 'before' }),
        });
        await put(proposal('a'));
        await put(change);
        const [, stored] = (await all()).changes;
        expect({ ...stored, body: undefined, previousBody: undefined }).toEqual({
          ...change,
          version: 3,
          body: undefined,
          previousBody: undefined,
        });
        expect(Buffer.from(stored?.previousBody ?? []).equals(bodyOf(2, { note: 'before' }))).toBe(true);
      });

      test('does not invent what a change does not say', async () => {
        await put(proposal('a'));
        const [change] = (await all()).changes;
        expect(Object.keys(change ?? {}).sort()).toEqual(Object.keys({ ...proposal('a'), version: 2 }).sort());
      });

      test('a lost position answers with the winner', async () => {
        const other = (await another()).sequence('main//things');
        await other.head();
        await put(proposal('a'), proposal('b'));
        const lost = await other.append(1, [proposal('c')], nonce());
        expect(lost).toMatchObject({ ok: false, last: 3 });
        if (!lost.ok && lost.winner !== undefined) expect(brief(lost.winner)).toEqual(['a@2', 'b@3']);
        expect(brief((await all()).changes)).toEqual(['a@2', 'b@3']);
        expect(await other.append(3, [proposal('c')], nonce())).toEqual({ ok: true, first: 4, last: 4 });
      });

      test('a position lost to an empty entry answers with it', async () => {
        await put();
        expect(await log.append(1, [proposal('c')], nonce())).toMatchObject({ ok: false, last: 2, winner: [] });
      });

      test.each([2, 3])('no one writes at %i, within an entry', async (after) => {
        await put(proposal('a'), proposal('b'), proposal('c'));
        expect(await log.append(after, [proposal('d')], nonce())).toMatchObject({ ok: false, last: 4 });
        const other = (await another()).sequence('main//things');
        expect(await other.append(after, [proposal('d')], nonce())).toMatchObject({ ok: false, last: 4 });
        expect(brief((await all()).changes)).toEqual(['a@2', 'b@3', 'c@4']);
      });

      test('of many at once one wins each position', async () => {
        const stores = await Promise.all([another(), another(), another(), another()]);
        const race = (round: number): Promise<AppendResult[]> =>
          Promise.all(
            stores.map((each, i) =>
              each.sequence('main//things').append(round, [proposal(`w${i}r${round}`)], { nonce: `w${i}r${round}` }),
            ),
          );
        for (const round of [1, 2, 3, 4, 5]) expect((await race(round)).filter(({ ok }) => ok)).toHaveLength(1);
        expect((await all()).changes.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
      });

      test('above the head is FutureVersion, and leaves no hole', async () => {
        await put(proposal('a'));
        await expect(log.append(3, [proposal('b')], nonce())).rejects.toEqual(code('FutureVersion'));
        expect((await all()).last).toBe(2);
        expect(await put(proposal('b'))).toBe(3);
      });

      test('many changes fill one entry, one more is refused', async () => {
        const many = Array.from({ length: MAX_CHANGES }, (_, i) => proposal(`n${String(i).padStart(2, '0')}`));
        await expect(log.append(1, [...many, proposal('z')], nonce())).rejects.toThrow(String(MAX_CHANGES));
        expect(await log.append(1, many, nonce())).toEqual({ ok: true, first: 2, last: 65 });
        expect((await all()).changes).toHaveLength(MAX_CHANGES);
      });
    });

    describe('repeated appends', () => {
      test('with its nonce an append that succeeded answers again', async () => {
        const both = [proposal('a'), proposal('b')];
        const first = await log.append(1, both, { nonce: 'n' });
        expect(first).toEqual({ ok: true, first: 2, last: 3 });
        expect(await log.append(1, both, { nonce: 'n' })).toEqual(first);
        expect(brief((await all()).changes)).toEqual(['a@2', 'b@3']);
      });

      test('also from another process, and behind later writes', async () => {
        const first = await log.append(1, [proposal('a')], { nonce: 'n' });
        await put(proposal('b'));
        const other = (await another()).sequence('main//things');
        expect(await other.append(1, [proposal('a')], { nonce: 'n' })).toEqual(first);
      });

      test('an empty entry too', async () => {
        await log.append(1, [], { nonce: 'n' });
        expect(await log.append(1, [], { nonce: 'n' })).toEqual({ ok: true, first: 2, last: 2 });
      });

      test('with another nonce it has lost', async () => {
        await log.append(1, [proposal('a')], { nonce: 'n' });
        expect(await log.append(1, [proposal('a')], { nonce: 'm' })).toMatchObject({ ok: false });
      });
    });

    describe('head and readLog', () => {
      test('the head is what was acknowledged, in every process', async () => {
        const other = (await another()).sequence('main//things');
        for (const version of [2, 3, 4]) {
          await put(proposal('a'));
          expect(await other.head()).toBe(version);
          const page = await other.readLog(version - 1, { limit: 9, consistent: true });
          expect(brief(page.changes)).toEqual([`a@${version}`]);
        }
      });

      test.each([1, 2, 3, 5, 100])('pages of %i show every change once, in order', async (limit) => {
        await put(proposal('a'));
        await put(proposal('b'), proposal('c'), proposal('d'));
        await put();
        await put();
        await put(proposal('e'));
        await put();
        for (const consistent of [true, false]) {
          const seen: Change[] = [];
          let [after, more] = [0, true];
          while (more) {
            const page = await log.readLog(after, { limit, consistent });
            expect(page.changes.length).toBeLessThanOrEqual(limit);
            expect(page.last).toBeGreaterThan(after);
            seen.push(...page.changes);
            ({ last: after, more } = page);
          }
          expect(brief(seen)).toEqual(['a@2', 'b@3', 'c@4', 'd@5', 'e@8']);
          expect(after).toBe(9);
        }
      });

      test.each([2, 3])('goes on from %i, within an entry', async (after) => {
        await put(proposal('a'), proposal('b'), proposal('c'));
        const other = (await another()).sequence('main//things');
        for (const each of [log, other]) {
          const page = await each.readLog(after, { limit: 9, consistent: true });
          expect(page.changes.map(({ version }) => version)).toEqual([3, 4].filter((version) => version > after));
          expect(page).toMatchObject({ last: 4, more: false });
        }
      });

      test('at the head there is nothing', async () => {
        const head = await put(proposal('a'));
        for (const consistent of [true, false]) {
          expect(await log.readLog(head, { limit: 9, consistent })).toEqual({ changes: [], last: head, more: false });
        }
      });

      test('above the head a consistent read is FutureVersion', async () => {
        const head = await put(proposal('a'));
        await expect(log.readLog(head + 1, { limit: 9, consistent: true })).rejects.toEqual(code('FutureVersion'));
      });
    });

    describe('snapshot and read', () => {
      const fill = async (): Promise<void> => {
        await put(proposal('b'), proposal('a'), proposal('c'));
        await put(proposal('a', { type: 'MODIFIED' }), proposal('c', { type: 'DELETED' }));
        await put(proposal('x', { key: 'main//things/other/x' }));
        await put(proposal('c'));
        await put(proposal('b', { type: 'DELETED' }));
      };

      test('shows nothing that is not folded', async () => {
        await fill();
        const { from, entries } = await log.snapshot({ prefix: '' });
        expect(from).toBeLessThanOrEqual(await log.head());
        for await (const { version } of entries) expect(version).toBeLessThanOrEqual(await log.head());
      });

      test('gives the last state in key order', async () => {
        await fill();
        expect(await log.compact()).toBe(9);
        const snapshot = await log.snapshot({ prefix: '' });
        const entries = await entriesOf(snapshot);
        expect(snapshot.from).toBe(9);
        expect(brief(entries)).toEqual(['a@5', 'c@8', 'x@7']);
        expect(entries.map(({ body }) => stampedVersion(body))).toEqual([5, 8, 7]);
      });

      test.each([
        ['a prefix', 'main//things/default/', undefined, ['a@5', 'c@8']],
        ['a start within it', 'main//things/default/', 'main//things/default/b', ['c@8']],
        ['a start that is a key', 'main//things/', 'main//things/default/c', ['c@8', 'x@7']],
        ['a start before it', 'main//things/other/', 'main//things/default/a', ['x@7']],
        ['a start behind it', 'main//things/default/', 'main//things/other/', []],
        ['a prefix of nothing', 'main//thing/', undefined, []],
      ])('of %s', async (_, prefix, start, expected) => {
        await fill();
        await log.compact();
        const options = start === undefined ? { prefix } : { prefix, start };
        expect(brief(await entriesOf(await log.snapshot(options)))).toEqual(expected);
      });

      test('keys are in the order of their bytes', async () => {
        const names = ['a', 'a.b', 'a-b', 'B', 'z', 'é', '\uff5e', '😀'];
        await put(...names.map((name) => proposal(name)));
        await log.compact();
        const keys = (await entriesOf(await log.snapshot({ prefix: 'main//things/' }))).map(({ key }) => key);
        expect(keys).toEqual([...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
        expect(keys).toHaveLength(names.length);
      });

      test('replayed from its watermark it is the state, whatever happens meanwhile', async () => {
        const names = Array.from({ length: 300 }, (_, i) => `n${String(i).padStart(3, '0')}`);
        for (let i = 0; i < names.length; i += 60) await put(...names.slice(i, i + 60).map((name) => proposal(name)));
        await log.compact();
        const { from, entries } = await log.snapshot({ prefix: '' });
        const state = new Map<string, Version>();
        let count = 0;
        for await (const { key, version } of entries) {
          state.set(key, version);
          if (++count % 100 !== 0) continue;
          await put(proposal('n299', { type: 'DELETED' }), proposal('n001', { type: 'MODIFIED' }), proposal('late'));
          await log.compact();
        }
        const { changes } = await log.readLog(from, { limit: 1_000, consistent: true });
        for (const { key, version, type } of changes) {
          if (version <= (state.get(key) ?? 0)) continue;
          if (type === 'DELETED') state.delete(key);
          else state.set(key, version);
        }
        const now = await entriesOf(await log.snapshot({ prefix: '' }));
        expect([...state].sort()).toEqual(now.map(({ key, version }) => [key, version]).sort());
        expect(now).toHaveLength(300);
      });

      test('read answers one key and the watermark', async () => {
        await fill();
        await log.compact();
        const found = await log.read('main//things/default/a');
        expect(found).toMatchObject({ from: 9, item: { version: 5 } });
        expect(stampedVersion(found.item?.body ?? bodyOf(0))).toBe(5);
        expect(await log.read('main//things/default/b')).toEqual({ from: 9 });
        expect(await log.read('main//things/default/none')).toEqual({ from: 9 });
      });
    });

    describe('compaction', () => {
      test('young entries stay', async () => {
        await put(proposal('a'));
        await put(proposal('b'));
        bench.advance(bench.retention / 2);
        expect(await log.compact()).toBe(3);
        expect(brief((await all()).changes)).toEqual(['a@2', 'b@3']);
      });

      test('old entries go, and what is behind them stays', async () => {
        await put(proposal('a'));
        bench.advance(bench.retention / 2 + 60_000);
        await put(proposal('b'));
        bench.advance(bench.retention / 2);
        await log.compact();
        await expect(log.readLog(1, { limit: 9, consistent: true })).rejects.toEqual(code('Expired'));
        expect(brief((await log.readLog(2, { limit: 9, consistent: true })).changes)).toEqual(['b@3']);
      });

      test('a compacted position is Expired for readers and writers, in every process', async () => {
        const other = (await another()).sequence('main//things');
        await other.head();
        for (const name of ['a', 'b', 'c', 'd']) await put(proposal(name));
        await age();
        const fresh = (await another()).sequence('main//things');
        for (const each of [log, other, fresh]) {
          for (const after of [0, 1, 2]) {
            for (const consistent of [true, false]) {
              await expect(each.readLog(after, { limit: 9, consistent })).rejects.toEqual(code('Expired'));
            }
            await expect(each.append(after, [proposal('z')], nonce())).rejects.toEqual(code('Expired'));
          }
        }
        expect(await other.head()).toBe(5);
      });

      test('head, versions and state go on over it', async () => {
        await put(proposal('a'));
        await put(proposal('b'));
        await age();
        await age();
        expect(await log.head()).toBe(3);
        expect(await log.append(3, [proposal('c')], nonce())).toEqual({ ok: true, first: 4, last: 4 });
        await log.compact();
        expect(brief(await entriesOf(await log.snapshot({ prefix: '' })))).toEqual(['a@2', 'b@3', 'c@4']);
      });

      test('the last entry stays, whole', async () => {
        await put(proposal('a'));
        const both = [proposal('b'), proposal('c')];
        await log.append(2, both, { nonce: 'last' });
        await age();
        expect(await log.append(2, both, { nonce: 'last' })).toEqual({ ok: true, first: 3, last: 4 });
      });

      test('nothing behind a cursor goes', async () => {
        for (const name of ['a', 'b', 'c']) await put(proposal(name));
        expect(await log.marks.moveCursor('bus', undefined, 2)).toBe(true);
        await age();
        expect(brief((await log.readLog(2, { limit: 9, consistent: true })).changes)).toEqual(['b@3', 'c@4']);
        await expect(log.readLog(1, { limit: 9, consistent: true })).rejects.toEqual(code('Expired'));
        await log.marks.moveCursor('bus', 2, 4);
        await age();
        await expect(log.readLog(2, { limit: 9, consistent: true })).rejects.toEqual(code('Expired'));
      });

      test('many compact at once', async () => {
        for (let i = 0; i < 4; i++)
          await put(...Array.from({ length: 60 }, (_, j) => proposal(`n${(i * 7 + j) % 90}`)));
        const stores = await Promise.all([another(), another()]);
        await Promise.all([log, ...stores.map((each) => each.sequence('main//things'))].map((each) => each.compact()));
        const last = new Map((await all()).changes.map(({ key, version }) => [key, version]));
        const snapshot = await log.snapshot({ prefix: '' });
        expect(snapshot.from).toBe(241);
        expect(new Map((await entriesOf(snapshot)).map(({ key, version }) => [key, version]))).toEqual(last);
      });
    });

    describe('cursors', () => {
      test('move by compare-and-swap', async () => {
        expect(await log.marks.cursor('bus')).toBeUndefined();
        expect(await log.marks.moveCursor('bus', 1, 2)).toBe(false);
        expect(await log.marks.moveCursor('bus', undefined, 1)).toBe(true);
        expect(await log.marks.moveCursor('bus', undefined, 3)).toBe(false);
        expect(await log.marks.moveCursor('bus', 2, 3)).toBe(false);
        expect(await log.marks.moveCursor('bus', 1, 3)).toBe(true);
        expect(await log.marks.cursor('bus')).toBe(3);
        expect(await store.sequence('main//other').marks.cursor('bus')).toBeUndefined();
      });
    });

    describe('large bodies', () => {
      /** Text that does not compress away. */
      const large = (length: number): Uint8Array => {
        const noise = randomBytes(Math.ceil((length * 3) / 4)).toString('base64');
        const empty = bodyOf(2).length;
        return bodyOf(2, { note: noise.slice(0, length - empty) });
      };

      test('1,572,864 bytes come back as they are, from log, state and snapshot', async () => {
        const body = large(MAX_BODY_BYTES);
        expect(body).toHaveLength(MAX_BODY_BYTES);
        await put(proposal('big', { body }));
        await log.compact();
        const other = (await another()).sequence('main//things');
        const [change] = (await all(other)).changes;
        expect(Buffer.from(change?.body ?? []).equals(body)).toBe(true);
        const { item } = await other.read('main//things/default/big');
        expect(Buffer.from(item?.body ?? []).equals(body)).toBe(true);
        const [entry] = await entriesOf(await other.snapshot({ prefix: '' }));
        expect(Buffer.from(entry?.body ?? []).equals(body)).toBe(true);
      });

      test('with one byte more it is TooLarge, and nothing is stored', async () => {
        const append = log.append(1, [proposal('a'), proposal('big', { body: large(MAX_BODY_BYTES + 1) })], nonce());
        await expect(append).rejects.toEqual(code('TooLarge'));
        expect(await log.head()).toBe(1);
      });

      test('the limit is on the body as it is stamped', async () => {
        const body = bodyOf(0, { length: MAX_BODY_BYTES });
        for (let i = 0; i < 9; i++) await put();
        await expect(put(proposal('big', { body }))).rejects.toEqual(code('TooLarge'));
      });

      test('several in one entry, with what was before', async () => {
        const [a, b, before] = [large(900_000), large(400_000), large(700_000)];
        await put(proposal('a', { body: a }), proposal('b', { body: b, previousBody: before }));
        const page = await all();
        expect(page.changes.map(({ body, previousBody }) => [body.length, previousBody?.length])).toEqual([
          [900_000, undefined],
          [400_000, 700_000],
        ]);
      });
    });

    describe('epochs', () => {
      test('a new epoch begins above all that was, and keeps the state', async () => {
        await put(proposal('a'));
        await put(proposal('b'));
        await log.marks.moveCursor('bus', undefined, 2);
        const first = await log.raiseEpoch();
        expect(first).toBe(EPOCH + 1);
        expect(await log.head()).toBe(first);
        expect(await log.marks.cursor('bus')).toBe(first);
        const snapshot = await log.snapshot({ prefix: '' });
        expect(snapshot.from).toBe(first);
        expect(brief(await entriesOf(snapshot))).toEqual(['a@2', 'b@3']);
        expect(await put(proposal('c'))).toBe(EPOCH + 2);
        expect(brief((await log.readLog(first, { limit: 9, consistent: true })).changes)).toEqual([`c@${EPOCH + 2}`]);
      });

      test('what the old epoch ended with is Expired', async () => {
        const head = await put(proposal('a'));
        await log.raiseEpoch();
        const other = (await another()).sequence('main//things');
        for (const each of [log, other]) {
          await expect(each.readLog(head, { limit: 9, consistent: true })).rejects.toMatchObject({
            name: 'StoreError',
          });
          await expect(each.append(head, [proposal('z')], nonce())).rejects.toEqual(code('Expired'));
        }
      });

      test('epochs rise', async () => {
        await log.raiseEpoch();
        expect(await log.raiseEpoch()).toBe(2 * EPOCH + 1);
        expect(await put(proposal('a'))).toBe(2 * EPOCH + 2);
      });
    });

    describe('life', () => {
      test('re-opening keeps everything', async () => {
        await put(proposal('a'), proposal('b'));
        await log.compact();
        await put(proposal('a', { type: 'DELETED' }));
        await log.marks.moveCursor('bus', undefined, 2);
        const before = await all();
        await store.close();
        opened.splice(opened.indexOf(store), 1);
        const again = (await another()).sequence('main//things');
        expect(await again.head()).toBe(4);
        expect(await all(again)).toEqual(before);
        expect(await again.read('main//things/default/b')).toMatchObject({ from: 3, item: { version: 3 } });
        expect(await again.marks.cursor('bus')).toBe(2);
        expect(await again.append(4, [proposal('c')], nonce())).toEqual({ ok: true, first: 5, last: 5 });
      });

      test('sequences know nothing of each other', async () => {
        const other = store.sequence('main//others');
        await put(proposal('a'));
        expect(await other.append(1, [proposal('b'), proposal('c')], nonce())).toMatchObject({ ok: true, first: 2 });
        await other.compact();
        expect(brief((await all()).changes)).toEqual(['a@2']);
        expect(brief((await all(other)).changes)).toEqual(['b@2', 'c@3']);
        expect(await log.snapshot({ prefix: '' })).toMatchObject({ from: expect.any(Number) });
        expect(await entriesOf(await log.snapshot({ prefix: '' }))).toEqual([]);
        expect(await store.names()).toEqual(['main//others', 'main//things']);
      });

      test('what is closed answers Closed', async () => {
        await put(proposal('a'));
        await store.close();
        await expect(log.head()).rejects.toEqual(code('Closed'));
        await expect(log.append(2, [], nonce())).rejects.toEqual(code('Closed'));
        await expect(log.readLog(0, { limit: 1, consistent: true })).rejects.toEqual(code('Closed'));
        expect(() => store.sequence('main//things')).toThrow(code('Closed'));
      });
    });
  });
}
