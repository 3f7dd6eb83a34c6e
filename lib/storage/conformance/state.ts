import { describe, expect, test } from 'vitest';
import { bodyOf, brief, proposal } from '../proposal.conformance.ts';
import { type Version } from '../sequence.ts';
import { stampedVersion } from '../stamp.ts';
import { entriesOf, type OpenSequence } from './bench.ts';

/** Tests snapshots and reads by key. */
export function showsItsState(on: OpenSequence): void {
  describe('snapshot and read', () => {
    const fill = async (): Promise<void> => {
      await on.put(proposal('b'), proposal('a'), proposal('c'));
      await on.put(proposal('a', { type: 'MODIFIED' }), proposal('c', { type: 'DELETED' }));
      await on.put(proposal('x', { key: 'main//things/other/x' }));
      await on.put(proposal('c'));
      await on.put(proposal('b', { type: 'DELETED' }));
    };

    test('shows nothing that is not folded', async () => {
      await fill();
      const { from, entries } = await on.log.snapshot({ prefix: '' });
      expect(from).toBeLessThanOrEqual(await on.log.head());
      for await (const { version } of entries) expect(version).toBeLessThanOrEqual(await on.log.head());
    });

    test('returns the last state in key order', async () => {
      await fill();
      expect(await on.log.compact()).toBe(9);
      const snapshot = await on.log.snapshot({ prefix: '' });
      const entries = await entriesOf(snapshot);
      expect(snapshot.from).toBe(9);
      expect(brief(entries)).toEqual(['a@5', 'c@8', 'x@7']);
      expect(entries.map(({ body }) => stampedVersion(body))).toEqual([5, 8, 7]);
    });

    test.each([
      ['a prefix', 'main//things/default/', undefined, ['a@5', 'c@8']],
      ['a start within the prefix', 'main//things/default/', 'main//things/default/b', ['c@8']],
      ['a start equal to a key', 'main//things/', 'main//things/default/c', ['c@8', 'x@7']],
      ['a start before the prefix', 'main//things/other/', 'main//things/default/a', ['x@7']],
      ['a start after the prefix', 'main//things/default/', 'main//things/other/', []],
      ['a prefix without objects', 'main//thing/', undefined, []],
    ])('returns the entries of %s', async (_, prefix, start, expected) => {
      await fill();
      await on.log.compact();
      const options = start === undefined ? { prefix } : { prefix, start };
      expect(brief(await entriesOf(await on.log.snapshot(options)))).toEqual(expected);
    });

    test('orders keys by their bytes', async () => {
      const names = ['a', 'a.b', 'a-b', 'B', 'z', 'é', '\uff5e', '😀'];
      await on.put(...names.map((name) => proposal(name)));
      await on.log.compact();
      const keys = (await entriesOf(await on.log.snapshot({ prefix: 'main//things/' }))).map(({ key }) => key);
      expect(keys).toEqual([...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
      expect(keys).toHaveLength(names.length);
    });

    test('equals the state when replayed from its watermark, despite concurrent writes', async () => {
      const names = Array.from({ length: 300 }, (_, i) => `n${String(i).padStart(3, '0')}`);
      for (let i = 0; i < names.length; i += 60) await on.put(...names.slice(i, i + 60).map((name) => proposal(name)));
      await on.log.compact();
      const { from, entries } = await on.log.snapshot({ prefix: '' });
      const state = new Map<string, Version>();
      let count = 0;
      for await (const { key, version } of entries) {
        state.set(key, version);
        if (++count % 100 !== 0) continue;
        await on.put(proposal('n299', { type: 'DELETED' }), proposal('n001', { type: 'MODIFIED' }), proposal('late'));
        await on.log.compact();
      }
      const { changes } = await on.log.readLog(from, { limit: 1_000, consistent: true });
      for (const { key, version, type } of changes) {
        if (version <= (state.get(key) ?? 0)) continue;
        if (type === 'DELETED') state.delete(key);
        else state.set(key, version);
      }
      const now = await entriesOf(await on.log.snapshot({ prefix: '' }));
      expect([...state].sort()).toEqual(now.map(({ key, version }) => [key, version]).sort());
      expect(now).toHaveLength(300);
    });

    test('returns one key and the watermark from a read', async () => {
      await fill();
      await on.log.compact();
      const found = await on.log.read('main//things/default/a');
      expect(found).toMatchObject({ from: 9, item: { version: 5 } });
      expect(stampedVersion(found.item?.body ?? bodyOf(0))).toBe(5);
      expect(await on.log.read('main//things/default/b')).toEqual({ from: 9 });
      expect(await on.log.read('main//things/default/none')).toEqual({ from: 9 });
    });
  });
}
