import { describe, expect, test } from 'vitest';
import { brief, proposal } from '../proposal.conformance.ts';
import { code, entriesOf, type OpenSequence } from './bench.ts';

/** Tests closing and reopening. */
export function lives(on: OpenSequence): void {
  describe('closing and reopening sequences', () => {
    test('keeps all data after reopening', async () => {
      await on.put(proposal('a'), proposal('b'));
      await on.log.compact();
      await on.put(proposal('a', { type: 'DELETED' }));
      await on.log.marks.moveCursor('bus', undefined, 2);
      const before = await on.all();
      await on.store.close();
      const again = (await on.another()).sequence('main//things');
      expect(await again.head()).toBe(4);
      expect(await on.all(again)).toEqual(before);
      expect(await again.read('main//things/default/b')).toMatchObject({ from: 3, item: { version: 3 } });
      expect(await again.marks.cursor('bus')).toBe(2);
      expect(await again.append(4, [proposal('c')], on.nonce())).toEqual({ ok: true, first: 5, last: 5 });
    });

    test('isolates sequences from each other', async () => {
      const other = on.store.sequence('main//others');
      await on.put(proposal('a'));
      expect(await other.append(1, [proposal('b'), proposal('c')], on.nonce())).toMatchObject({ ok: true, first: 2 });
      await other.compact();
      expect(brief((await on.all()).changes)).toEqual(['a@2']);
      expect(brief((await on.all(other)).changes)).toEqual(['b@2', 'c@3']);
      expect(await on.log.snapshot({ prefix: '' })).toMatchObject({ from: expect.any(Number) });
      expect(await entriesOf(await on.log.snapshot({ prefix: '' }))).toEqual([]);
      expect(await on.store.names()).toEqual(['main//others', 'main//things']);
    });

    test('throws Closed after closing', async () => {
      await on.put(proposal('a'));
      await on.store.close();
      await expect(on.log.head()).rejects.toEqual(code('Closed'));
      await expect(on.log.append(2, [], on.nonce())).rejects.toEqual(code('Closed'));
      await expect(on.log.readLog(0, { limit: 1, consistent: true })).rejects.toEqual(code('Closed'));
      expect(() => on.store.sequence('main//things')).toThrow(code('Closed'));
    });
  });
}
