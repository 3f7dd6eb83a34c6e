import { describe, expect, test } from 'vitest';
import { brief, proposal } from '../proposal.conformance.ts';
import { type Change } from '../sequence.ts';
import { code, type OpenSequence } from './bench.ts';

/** Tests the head, pages of the log, and cursors. */
export function readsItsLog(on: OpenSequence): void {
  describe('head and readLog', () => {
    test('returns every acknowledged append as the head, in every process', async () => {
      const other = (await on.another()).sequence('main//things');
      for (const version of [2, 3, 4]) {
        await on.put(proposal('a'));
        expect(await other.head()).toBe(version);
        const page = await other.readLog(version - 1, { limit: 9, consistent: true });
        expect(brief(page.changes)).toEqual([`a@${version}`]);
      }
    });

    test.each([1, 2, 3, 5, 100])('reads every change once and in order in pages of %i', async (limit) => {
      await on.put(proposal('a'));
      await on.put(proposal('b'), proposal('c'), proposal('d'));
      await on.put();
      await on.put();
      await on.put(proposal('e'));
      await on.put();
      for (const consistent of [true, false]) {
        const seen: Change[] = [];
        let [after, more] = [0, true];
        while (more) {
          const page = await on.log.readLog(after, { limit, consistent });
          expect(page.changes.length).toBeLessThanOrEqual(limit);
          expect(page.last).toBeGreaterThan(after);
          seen.push(...page.changes);
          ({ last: after, more } = page);
        }
        expect(brief(seen)).toEqual(['a@2', 'b@3', 'c@4', 'd@5', 'e@8']);
        expect(after).toBe(9);
      }
    });

    test.each([2, 3])('continues from %i, within an entry', async (after) => {
      await on.put(proposal('a'), proposal('b'), proposal('c'));
      const other = (await on.another()).sequence('main//things');
      for (const each of [on.log, other]) {
        const page = await each.readLog(after, { limit: 9, consistent: true });
        expect(page.changes.map(({ version }) => version)).toEqual([3, 4].filter((version) => version > after));
        expect(page).toMatchObject({ last: 4, more: false });
      }
    });

    test('returns no changes at the head', async () => {
      const head = await on.put(proposal('a'));
      for (const consistent of [true, false]) {
        expect(await on.log.readLog(head, { limit: 9, consistent })).toEqual({ changes: [], last: head, more: false });
      }
    });

    test('throws FutureVersion for a consistent read above the head', async () => {
      const head = await on.put(proposal('a'));
      await expect(on.log.readLog(head + 1, { limit: 9, consistent: true })).rejects.toEqual(code('FutureVersion'));
    });
  });

  describe('positionBefore of a time', () => {
    test('returns the position before the first entry committed at or after it', async () => {
      const start = await on.put(proposal('a'));
      on.bench.advance(60_000);
      const middle = on.bench.now();
      await on.put(proposal('b'), proposal('c'));
      on.bench.advance(60_000);
      await on.put(proposal('d'));
      expect(await on.log.positionBefore(middle)).toBe(start);
      expect(await on.log.positionBefore(middle + 1)).toBe(start + 2);
      expect(await on.log.positionBefore(on.bench.now() + 60_000)).toBe(await on.log.head());
    });

    test('returns the beginning of the log for a time before all its entries', async () => {
      for (const name of ['a', 'b', 'c']) await on.put(proposal(name));
      await on.age();
      const after = await on.log.positionBefore(0);
      expect(brief((await on.log.readLog(after, { limit: 9, consistent: true })).changes)).toEqual(['c@4']);
    });
  });

  describe('cursors of a sequence', () => {
    test('move by compare-and-swap', async () => {
      expect(await on.log.marks.cursor('bus')).toBeUndefined();
      expect(await on.log.marks.moveCursor('bus', 1, 2)).toBe(false);
      expect(await on.log.marks.moveCursor('bus', undefined, 1)).toBe(true);
      expect(await on.log.marks.moveCursor('bus', undefined, 3)).toBe(false);
      expect(await on.log.marks.moveCursor('bus', 2, 3)).toBe(false);
      expect(await on.log.marks.moveCursor('bus', 1, 3)).toBe(true);
      expect(await on.log.marks.cursor('bus')).toBe(3);
      expect(await on.store.sequence('main//other').marks.cursor('bus')).toBeUndefined();
    });
  });
}
