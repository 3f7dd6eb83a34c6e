import { expect, test } from 'vitest';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { boundedWatch } from './bounded-watch.ts';

const PATH = '/apis/wardle.example.com/v1/flunders';

/** Returns the query that the server of the group version receives. */
async function passedOn(query: string): Promise<string> {
  let passed = '';
  const handle = boundedWatch(async ({ request: given }) => {
    passed = given.query.toString();
    return { status: 200, headers: {}, body: given.path };
  }, 300);
  expect((await handle(aRequestContext({ path: PATH, query: new URLSearchParams(query) }))).body).toBe(PATH);
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
