import { expect, test } from 'vitest';
import type { FilterPorts, RequestState } from './filter.ts';
import { warnings } from './warnings.ts';

async function headersOf(texts: readonly string[]): Promise<readonly string[]> {
  const handle = warnings(async () => ({ status: 200, headers: {}, body: '' }), {} as FilterPorts);
  const state = { auditId: 'a', warnings: new Set(texts) } as unknown as RequestState;
  const { headers } = await handle({} as Parameters<typeof handle>[0], state);
  return [headers['warning'] ?? []].flat();
}
const many = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, i) => String(i).padEnd(length, 'x'));

test.each<[string, string[], number, number]>([
  ['few are whole', many(4, 1000), 4, 1008],
  ['long ones are cut', many(5, 1000), 5, 264],
  ['of very many the first are shown', many(100_000, 100), 41, 108],
  ['of very many long ones too', many(1000, 10_000), 16, 264],
])('%s', async (_, texts, count, length) => {
  const headers = await headersOf(texts);
  expect([headers.length, headers.at(-1)?.length]).toEqual([count, length]);
});
