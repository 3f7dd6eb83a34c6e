import { expect, test } from 'vitest';
import { aRequestContext } from '#lib/server/request/testing.ts';
import type { FilterPorts } from './filter.ts';
import { warnings } from './warnings.ts';

async function headersOf(texts: readonly string[]): Promise<readonly string[]> {
  const handle = warnings(async () => ({ status: 200, headers: {}, body: '' }), {} as FilterPorts);
  const context = aRequestContext();
  for (const text of texts) context.warn(text);
  const { headers } = await handle(context);
  return [headers['warning'] ?? []].flat();
}
const many = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, i) => String(i).padEnd(length, 'x'));

test.each<[string, string[], number, number]>([
  ['keeps a few complete', many(4, 1000), 4, 1008],
  ['cuts long ones', many(5, 1000), 5, 264],
  ['keeps the first of very many', many(100_000, 100), 41, 108],
  ['cuts and keeps the first of very many long ones', many(1000, 10_000), 16, 264],
])('limits the warnings: %s', async (_, texts, count, length) => {
  const headers = await headersOf(texts);
  expect([headers.length, headers.at(-1)?.length]).toEqual([count, length]);
});

test('drops a text that a header cannot contain, and keeps all others unchanged', async () => {
  const texts = ['a\nb', 'tab\there', '\u0085', '', 'quote " and \\', '„Lücke“\u200b'];
  expect(await headersOf(texts)).toEqual(['299 - "quote \\" and \\\\"', '299 - "„Lücke“\u200b"']);
});

test('counts characters, not UTF-16 units', async () => {
  expect(await headersOf(Array.from({ length: 4 }, (_, i) => `${i}${'😀'.repeat(1000)}`))).toHaveLength(4);
  expect((await headersOf(Array.from({ length: 5 }, (_, i) => `${i}${'😀'.repeat(1000)}`)))[0]).toBe(
    `299 - "0${'😀'.repeat(255)}"`,
  );
});

test('shows the printable beginning of a text if texts are cut', async () => {
  const late = `${'y'.repeat(300)}\n`;
  expect(await headersOf(many(4, 1000).concat(late))).toHaveLength(4);
  expect(await headersOf([late, ...many(5, 1000)])).toHaveLength(6);
});
