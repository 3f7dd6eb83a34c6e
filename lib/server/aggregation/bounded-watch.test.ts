import { expect, test } from 'vitest';
import type { RequestState } from '#lib/server/endpoints/filters/filter.ts';
import { NO_INFO, requestInfo } from '#lib/server/request/request-info.ts';
import { boundedWatch } from './bounded-watch.ts';

const PATH = '/apis/wardle.example.com/v1/flunders';

/** Returns the query that the server of the group version receives. */
async function passedOn(query: string): Promise<string> {
  let passed = '';
  const request = {
    method: 'GET',
    path: PATH,
    query: new URLSearchParams(query),
    headers: {},
    body: async () => new Uint8Array(),
    signal: new AbortController().signal,
  };
  const state: RequestState = {
    auditId: '',
    now: new Date(0),
    warnings: new Set(),
    annotations: new Map(),
    info: requestInfo('GET', PATH, request.query) ?? NO_INFO,
    user: { name: 'ann', groups: [] },
  };
  const handle = boundedWatch(async (given) => {
    passed = given.query.toString();
    return { status: 200, headers: {}, body: given.path };
  }, 300);
  expect((await handle(request, state)).body).toBe(PATH);
  return passed;
}

test.each([
  ['limit=1', 'limit=1'],
  ['timeoutSeconds=900', 'timeoutSeconds=900'],
  ['watch=true', 'watch=true&timeoutSeconds=300'],
  ['watch=true&timeoutSeconds=60', 'watch=true&timeoutSeconds=60'],
  ['watch=true&timeoutSeconds=900', 'watch=true&timeoutSeconds=300'],
  ['watch=true&timeoutSeconds=x', 'watch=true&timeoutSeconds=300'],
  ['watch=true&timeoutSeconds=0', 'watch=true&timeoutSeconds=300'],
])('limits only watches: %s becomes %s', async (asked, expected) => {
  expect(await passedOn(asked)).toBe(expected);
});
