import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requestInfo } from '#lib/server/endpoints/request-info.ts';
import { FunctionThread } from './function-thread.ts';

const NOTES = '/apis/notes.example.com/v1/namespaces/default/notes';

test('begins no watch for a client that has gone already', async () => {
  const thread = new FunctionThread(join(import.meta.dirname, '../../examples/aggregated-api/notes.ts'), {
    limits: { timeout: 10_000, memory: 128 },
    environment: {},
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
