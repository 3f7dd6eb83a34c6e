import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { FunctionThread } from '#adapters/server/function-thread/function-thread.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';

const NOTES = '/apis/notes.example.com/v1/namespaces/default/notes';

function aThread(start: () => Worker): FunctionThread {
  return new FunctionThread({
    limits: { timeout: 10_000, memory: 128 },
    settings: { timeout: '', memory: '' },
    start,
    log: { info: () => undefined, error: () => undefined },
    handle: () => Promise.reject(new Error('no request is expected')),
  });
}

test('adds no listener for each time that it is closed', async () => {
  const worker = new Worker('for (;;);', { eval: true });
  const thread = aThread(() => worker);
  const before = worker.listenerCount('exit');
  const closed = Array.from({ length: 20 }, () => thread.close());
  expect(worker.listenerCount('exit') - before).toBe(1);
  await Promise.all(closed);
  expect(thread.isEnded).toBe(true);
});

test('starts no watch for a client that has already disconnected', async () => {
  const file = pathToFileURL(join(import.meta.dirname, '../../examples/aggregated-api/notes.ts')).href;
  const thread = aThread(() => new Worker(new URL('worker.ts', import.meta.url), { workerData: { file } }));
  try {
    await thread.loaded;
    const query = 'watch=true&resourceVersion=1';
    const info = requestInfo('GET', NOTES, new URLSearchParams(query));
    if (info === undefined) throw new Error(NOTES);
    const request = { method: 'GET', path: NOTES, query, headers: {}, body: new Uint8Array() };
    const call = { what: 'api', name: 'notes', request, info, user: { name: 'ann', groups: [] } } as const;
    await expect(thread.stream(call, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  } finally {
    await thread.close();
  }
});
