import { expect, test } from 'vitest';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import { scrapeNode } from './scrape-node.ts';

const { signal } = new AbortController();
const answering = (response: Partial<ApiResponse>) => {
  const asked: ApiRequest[] = [];
  const handle = async (request: ApiRequest): Promise<ApiResponse> => {
    asked.push(request);
    return { status: 200, headers: {}, body: '', ...response };
  };
  return { asked, handle };
};
async function* chunks(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield new Uint8Array(size).fill(0x61);
}

test('requests the metrics via nodes/proxy', async () => {
  const { asked, handle } = answering({ body: 'a 1' });
  expect(await scrapeNode(handle, 'a/../b', signal)).toBe('a 1');
  expect(asked).toMatchObject([{ method: 'GET', path: '/api/v1/nodes/a%2F..%2Fb/proxy/metrics/resource' }]);
  expect(asked[0]?.signal()).toBe(signal);
});

test('rejects an endless response after 2 MiB', async () => {
  const { handle } = answering({ body: chunks(Infinity, 1 << 20) });
  await expect(scrapeNode(handle, 'n', signal)).rejects.toThrow('more than 2097152 bytes');
});

test('stops reading when no caller waits any more', async () => {
  const ended = new AbortController();
  const { handle } = answering({ body: chunks(Infinity, 1) });
  const scraped = scrapeNode(handle, 'n', ended.signal);
  ended.abort(new Error('late'));
  await expect(scraped).rejects.toThrow('late');
});

test.each([
  [403, { body: JSON.stringify({ kind: 'Status', message: 'no right' }) }, 'no right'],
  [503, { body: chunks(1, 3) }, 'aaa'],
])('reports the reason why a node returned %i', async (status, response, message) => {
  const { handle } = answering({ status, ...response });
  await expect(scrapeNode(handle, 'n', signal)).rejects.toMatchObject({ code: status, message });
});
