import { describe, expect, test } from 'vitest';
import { brief, proposal } from '../proposal.conformance.ts';
import { code, entriesOf, type OpenSequence } from './bench.ts';

/** Tests which entries compaction folds and keeps, and which reads are Expired afterwards. */
export function compacts(on: OpenSequence): void {
  describe('compaction of a sequence', () => {
    test('keeps young entries', async () => {
      await on.put(proposal('a'));
      await on.put(proposal('b'));
      on.bench.advance(on.bench.retention / 2);
      expect(await on.log.compact()).toBe(3);
      expect(brief((await on.all()).changes)).toEqual(['a@2', 'b@3']);
    });

    test('drops old entries and keeps the later ones', async () => {
      await on.put(proposal('a'));
      on.bench.advance(on.bench.retention / 2 + 60_000);
      await on.put(proposal('b'));
      on.bench.advance(on.bench.retention / 2);
      await on.log.compact();
      await expect(on.log.readLog(1, { limit: 9, consistent: true })).rejects.toEqual(code('Expired'));
      expect(brief((await on.log.readLog(2, { limit: 9, consistent: true })).changes)).toEqual(['b@3']);
    });

    test('drops old entries after an entry whose clock was later set back', async () => {
      on.bench.jump(100 * on.bench.retention);
      await on.put(proposal('a'));
      await on.log.compact();
      on.bench.jump(-100 * on.bench.retention);
      await on.put(proposal('b'));
      await on.log.compact();
      expect(brief((await on.log.readLog(2, { limit: 9, consistent: true })).changes)).toEqual(['b@3']);
      on.bench.advance(on.bench.retention + 60_000);
      await on.put(proposal('c'));
      await on.log.compact();
      await expect(on.log.readLog(2, { limit: 9, consistent: true })).rejects.toEqual(code('Expired'));
      expect(brief((await on.log.readLog(3, { limit: 9, consistent: true })).changes)).toEqual(['c@4']);
    });

    test('expires compacted positions for readers and writers, in every process', async () => {
      const other = (await on.another()).sequence('main//things');
      await other.head();
      for (const name of ['a', 'b', 'c', 'd']) await on.put(proposal(name));
      await on.age();
      const fresh = (await on.another()).sequence('main//things');
      for (const each of [on.log, other, fresh]) {
        for (const after of [0, 1, 2]) {
          for (const consistent of [true, false]) {
            await expect(each.readLog(after, { limit: 9, consistent })).rejects.toEqual(code('Expired'));
          }
          await expect(each.append(after, [proposal('z')], on.nonce())).rejects.toEqual(code('Expired'));
        }
      }
      expect(await other.head()).toBe(5);
    });

    test('preserves head, versions and state', async () => {
      await on.put(proposal('a'));
      await on.put(proposal('b'));
      await on.age();
      await on.age();
      expect(await on.log.head()).toBe(3);
      expect(await on.log.append(3, [proposal('c')], on.nonce())).toEqual({ ok: true, first: 4, last: 4 });
      await on.log.compact();
      expect(brief(await entriesOf(await on.log.snapshot({ prefix: '' })))).toEqual(['a@2', 'b@3', 'c@4']);
    });

    test('keeps the whole last entry', async () => {
      await on.put(proposal('a'));
      const both = [proposal('b'), proposal('c')];
      await on.log.append(2, both, { nonce: 'last' });
      await on.age();
      expect(await on.log.append(2, both, { nonce: 'last' })).toEqual({ ok: true, first: 3, last: 4 });
    });

    test('drops no entry after a cursor', async () => {
      for (const name of ['a', 'b', 'c']) await on.put(proposal(name));
      expect(await on.log.marks.moveCursor('bus', undefined, 2)).toBe(true);
      await on.age();
      expect(brief((await on.log.readLog(2, { limit: 9, consistent: true })).changes)).toEqual(['b@3', 'c@4']);
      await expect(on.log.readLog(1, { limit: 9, consistent: true })).rejects.toEqual(code('Expired'));
      await on.log.marks.moveCursor('bus', 2, 4);
      await on.age();
      await expect(on.log.readLog(2, { limit: 9, consistent: true })).rejects.toEqual(code('Expired'));
    });

    test('can run many times at once', async () => {
      for (let i = 0; i < 4; i++)
        await on.put(...Array.from({ length: 60 }, (_, j) => proposal(`n${(i * 7 + j) % 90}`)));
      const stores = await Promise.all([on.another(), on.another()]);
      await Promise.all([on.log, ...stores.map((each) => each.sequence('main//things'))].map((each) => each.compact()));
      const last = new Map((await on.all()).changes.map(({ key, version }) => [key, version]));
      const snapshot = await on.log.snapshot({ prefix: '' });
      expect(snapshot.from).toBe(241);
      expect(new Map((await entriesOf(snapshot)).map(({ key, version }) => [key, version]))).toEqual(last);
    });
  });
}
