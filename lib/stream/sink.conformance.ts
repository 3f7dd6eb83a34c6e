import { expect, test } from 'vitest';
import type { Sink } from './sink.ts';

export interface SinkHarness<T> {
  readonly sink: Sink<T>;
  /** Creates the `n`th entry of a group, with `fill` bytes of text. */
  entry(group: string, n: number, fill?: number): T;
  /** Waits for `count` entries since the last call. Returns them as `group/n` in order of arrival. */
  arrived(count: number): Promise<string[]>;
  /** A text size in bytes that exceeds the limit of an entry. */
  readonly tooMuch: number;
}

const GROUPS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

/** Tests the contract of Sink on an implementation. */
export function sinkConformance<T>(open: () => Promise<SinkHarness<T>>): void {
  test('sends nothing for an empty list', async () => {
    const { sink } = await open();
    expect(await sink.send([])).toEqual([]);
  });

  test('delivers all entries, those of a group in order', async () => {
    const { sink, entry, arrived } = await open();
    const sent = [1, 2, 3].flatMap((n) => GROUPS.map((group) => ({ group, n })));
    expect(await sink.send(sent.map(({ group, n }) => entry(group, n)))).toEqual([]);
    const there = await arrived(sent.length);
    expect([...new Set(there)].sort()).toEqual(sent.map(({ group, n }) => `${group}/${n}`).sort());
    for (const group of GROUPS) {
      const order = [...new Set(there.filter((one) => one.startsWith(`${group}/`)))];
      expect(order).toEqual([1, 2, 3].map((n) => `${group}/${n}`));
    }
  });

  test('refuses an entry that is too large and delivers the others', async () => {
    const { sink, entry, arrived, tooMuch } = await open();
    const refused = await sink.send([entry('a', 1), entry('b', 1, tooMuch), entry('c', 1)]);
    expect(refused).toEqual([{ index: 1, reason: expect.stringContaining('more than') as string }]);
    expect((await arrived(2)).sort()).toEqual(['a/1', 'c/1']);
  });

  test('splits entries that are too large together', async () => {
    const { sink, entry, arrived, tooMuch } = await open();
    const half = Math.floor(tooMuch * 0.6);
    expect(await sink.send(['a', 'b', 'c'].map((group) => entry(group, 1, half)))).toEqual([]);
    expect((await arrived(3)).sort()).toEqual(['a/1', 'b/1', 'c/1']);
  });
}
