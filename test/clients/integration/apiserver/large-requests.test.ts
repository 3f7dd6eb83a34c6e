import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Sent } from './front-door.ts';
import { coreInProcess, request } from './in-process.ts';
import { LARGE, PREPARED } from './large-requests.ts';

/**
 * The minimum number of times that a write yields to other requests: in decoding, managed fields, validation, encoding and their parts. A
 * rejected write ends early.
 */
const LEAST = { accepted: 17, refused: 5 };
/** The number of parts in the checks of a definition's schemas. */
const CHECKS = 6;

let core: Awaited<ReturnType<typeof coreInProcess>>;
beforeAll(async () => {
  core = await coreInProcess();
  for (const sent of PREPARED) expect((await sendOf(sent)).status).toBeLessThan(300);
});
afterAll(() => core.close());

async function sendOf(sent: Sent): Promise<{ status: number; turns: number }> {
  let turns = 0;
  const turn = async (): Promise<void> => void turns++;
  const { status, body } = await core.handle({ ...request(sent, new AbortController().signal), turn });
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) for await (const _ of body);
  return { status, turns };
}

test.each(LARGE)('yields to other requests: %s', async (_, sent) => {
  const { status, turns } = await sendOf(sent);
  expect([200, 201, 400, 413, 422]).toContain(status);
  expect(turns).toBeGreaterThanOrEqual(status < 300 ? LEAST.accepted : LEAST.refused);
  expect(core.faults).toEqual([]);
});

describe('large definitions of resources', () => {
  test.each(LARGE.filter(([what]) => what.startsWith('a definition')))('are checked in parts: %s', async (_, sent) => {
    const { status, turns } = await sendOf(sent);
    expect(turns).toBeGreaterThanOrEqual(status < 300 ? LEAST.accepted + CHECKS : LEAST.refused);
  });

  test('are changed, marked and deleted in parts', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.large.example.com';
    const headers = { 'content-type': 'application/merge-patch+json' };
    const changed = await sendOf({ method: 'PATCH', path, headers, body: { spec: { names: { shortNames: ['t'] } } } });
    expect(changed).toEqual({ status: 200, turns: expect.any(Number) });
    expect(changed.turns).toBeGreaterThanOrEqual(LEAST.accepted + CHECKS);
    expect((await sendOf({ method: 'DELETE', path: `${path}?dryRun=All` })).turns).toBeGreaterThanOrEqual(2);
  });

  test.each([
    ['/openapi/v2', 'application/json', 8],
    ['/openapi/v2', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', 8],
    ['/openapi/v3/apis/large.example.com/v1', 'application/json', 6],
  ])('are published in parts: %s as %s', async (path, accept, least) => {
    const { status, turns } = await sendOf({ path, headers: { accept } });
    expect(status).toBe(200);
    expect(turns).toBeGreaterThanOrEqual(least);
  });
});
