import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { FunctionThread } from '#adapters/server/function-thread/function-thread.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';

const NOTES = '/apis/notes.example.com/v1/namespaces/default/notes';

test('begins no watch for a client that has gone already', async () => {
  const file = pathToFileURL(join(import.meta.dirname, '../../examples/aggregated-api/notes.ts')).href;
  const thread = new FunctionThread({
    limits: { timeout: 10_000, memory: 128 },
    settings: { timeout: '', memory: '' },
    start: () => new Worker(new URL('worker.ts', import.meta.url), { workerData: { file } }),
    log: { info: () => undefined, error: () => undefined },
    handle: () => Promise.reject(new Error('no request is expected')),
  });
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
