import { describe, expect, test } from 'vitest';
import { MAX_CHANGES } from '../limits.ts';
import { bodyOf, brief, proposal, SUMMARY } from '../proposal.conformance.ts';
import { type AppendResult } from '../sequence.ts';
import { stampedVersion } from '../stamp.ts';
import { code, type OpenSequence } from './bench.ts';

/** Tests the first entry, positions, and the nonce of a repeated append. */
export function appends(on: OpenSequence): void {
  describe('the first use of a sequence', () => {
    test('creates it with an empty entry at position 1', async () => {
      expect(await on.log.head()).toBe(1);
      expect(await on.all()).toEqual({ changes: [], last: 1, more: false });
    });

    test('creates it once, however many processes use it', async () => {
      const stores = await Promise.all([on.another(), on.another(), on.another()]);
      const heads = await Promise.all(stores.map((each) => each.sequence('main//things').head()));
      expect(heads).toEqual([1, 1, 1]);
      expect((await on.all()).last).toBe(1);
    });

    test('creates it, whatever the method', async () => {
      await on.store.sequence('main//a').append(1, [proposal('a')], on.nonce());
      await on.store.sequence('main//b').snapshot({ prefix: '' });
      await on.store.sequence('main//c').readLog(0, { limit: 1, consistent: true });
      expect(await on.store.names()).toEqual(['main//a', 'main//b', 'main//c']);
    });

    test('returns the same sequence for the same name', () => {
      expect(on.store.sequence('main//things')).toBe(on.log);
    });
  });

  describe('append to a sequence', () => {
    test('takes the position after the head and stamps the body with it', async () => {
      expect(await on.log.append(1, [proposal('a')], on.nonce())).toEqual({ ok: true, first: 2, last: 2 });
      const { changes } = await on.all();
      expect(changes.map(({ body }) => stampedVersion(body))).toEqual([2]);
      expect(Buffer.from(changes[0]?.body ?? []).toString()).toBe(Buffer.from(bodyOf(2, { note: 'a' })).toString());
    });

    test('assigns k consecutive versions to k changes', async () => {
      const three = ['a', 'b', 'c'].map((name) => proposal(name));
      expect(await on.log.append(1, three, on.nonce())).toEqual({ ok: true, first: 2, last: 4 });
      expect(await on.log.append(4, [proposal('d')], on.nonce())).toEqual({ ok: true, first: 5, last: 5 });
      const page = await on.all();
      expect(brief(page.changes)).toEqual(['a@2', 'b@3', 'c@4', 'd@5']);
      expect(page.changes.map(({ body }) => stampedVersion(body))).toEqual([2, 3, 4, 5]);
    });

    test('takes one position for an empty entry', async () => {
      expect(await on.log.append(1, [], on.nonce())).toEqual({ ok: true, first: 2, last: 2 });
      await on.put(proposal('a'));
      expect(await on.all()).toMatchObject({ changes: [{ version: 3 }], last: 3, more: false });
    });

    test('stores all fields of a change', async () => {
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
      await on.put(proposal('a'));
      await on.put(change);
      const [, stored] = (await on.all()).changes;
      expect({ ...stored, body: undefined, previousBody: undefined }).toEqual({
        ...change,
        version: 3,
        body: undefined,
        previousBody: undefined,
      });
      expect(Buffer.from(stored?.previousBody ?? []).equals(bodyOf(2, { note: 'before' }))).toBe(true);
    });

    test('adds no fields to a change', async () => {
      await on.put(proposal('a'));
      const [change] = (await on.all()).changes;
      expect(Object.keys(change ?? {}).sort()).toEqual(Object.keys({ ...proposal('a'), version: 2 }).sort());
    });

    test('returns the winner of a lost position', async () => {
      const other = (await on.another()).sequence('main//things');
      await other.head();
      await on.put(proposal('a'), proposal('b'));
      const lost = await other.append(1, [proposal('c')], on.nonce());
      expect(lost).toMatchObject({ ok: false, last: 3 });
      if (!lost.ok && lost.winner !== undefined) expect(brief(lost.winner)).toEqual(['a@2', 'b@3']);
      expect(brief((await on.all()).changes)).toEqual(['a@2', 'b@3']);
      expect(await other.append(3, [proposal('c')], on.nonce())).toEqual({ ok: true, first: 4, last: 4 });
    });

    test('returns an empty entry as the winner of a lost position', async () => {
      await on.put();
      expect(await on.log.append(1, [proposal('c')], on.nonce())).toMatchObject({ ok: false, last: 2, winner: [] });
    });

    test.each([2, 3])('never succeeds at %i, within an entry', async (after) => {
      await on.put(proposal('a'), proposal('b'), proposal('c'));
      expect(await on.log.append(after, [proposal('d')], on.nonce())).toMatchObject({ ok: false, last: 4 });
      const other = (await on.another()).sequence('main//things');
      expect(await other.append(after, [proposal('d')], on.nonce())).toMatchObject({ ok: false, last: 4 });
      expect(brief((await on.all()).changes)).toEqual(['a@2', 'b@3', 'c@4']);
    });

    test('lets one of many concurrent appends win each position', async () => {
      const stores = await Promise.all([on.another(), on.another(), on.another(), on.another()]);
      const race = (round: number): Promise<AppendResult[]> =>
        Promise.all(
          stores.map((each, i) =>
            each.sequence('main//things').append(round, [proposal(`w${i}r${round}`)], { nonce: `w${i}r${round}` }),
          ),
        );
      for (const round of [1, 2, 3, 4, 5]) expect((await race(round)).filter(({ ok }) => ok)).toHaveLength(1);
      expect((await on.all()).changes.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
    });

    test('throws FutureVersion above the head, and leaves no gap', async () => {
      await on.put(proposal('a'));
      await expect(on.log.append(3, [proposal('b')], on.nonce())).rejects.toEqual(code('FutureVersion'));
      expect((await on.all()).last).toBe(2);
      expect(await on.put(proposal('b'))).toBe(3);
    });

    test('accepts many changes in one entry, and rejects one more', async () => {
      const many = Array.from({ length: MAX_CHANGES }, (_, i) => proposal(`n${String(i).padStart(2, '0')}`));
      await expect(on.log.append(1, [...many, proposal('z')], on.nonce())).rejects.toThrow(String(MAX_CHANGES));
      expect(await on.log.append(1, many, on.nonce())).toEqual({ ok: true, first: 2, last: 65 });
      expect((await on.all()).changes).toHaveLength(MAX_CHANGES);
    });
  });

  describe('a repeated append', () => {
    test('returns the same result if it succeeded with that nonce', async () => {
      const both = [proposal('a'), proposal('b')];
      const first = await on.log.append(1, both, { nonce: 'n' });
      expect(first).toEqual({ ok: true, first: 2, last: 3 });
      expect(await on.log.append(1, both, { nonce: 'n' })).toEqual(first);
      expect(brief((await on.all()).changes)).toEqual(['a@2', 'b@3']);
    });

    test('also returns it from another process and after later writes', async () => {
      const first = await on.log.append(1, [proposal('a')], { nonce: 'n' });
      await on.put(proposal('b'));
      const other = (await on.another()).sequence('main//things');
      expect(await other.append(1, [proposal('a')], { nonce: 'n' })).toEqual(first);
    });

    test('also returns it for an empty entry', async () => {
      await on.log.append(1, [], { nonce: 'n' });
      expect(await on.log.append(1, [], { nonce: 'n' })).toEqual({ ok: true, first: 2, last: 2 });
    });

    test('loses its position with another nonce', async () => {
      await on.log.append(1, [proposal('a')], { nonce: 'n' });
      expect(await on.log.append(1, [proposal('a')], { nonce: 'm' })).toMatchObject({ ok: false });
    });
  });
}
