import { afterAll, beforeAll, expect, test } from 'vitest';
import { coreInProcess, request } from './in-process.ts';
import { LARGE, PREPARED } from './large-requests.ts';
import type { Sent } from './front-door.ts';

/**
 * How often a write lets others through at least: decoding, managed fields, validation, encoding and their parts. A refusal
 * ends early.
 */
const LEAST = { accepted: 17, refused: 5 };

let core: Awaited<ReturnType<typeof coreInProcess>>;
beforeAll(async () => {
  core = await coreInProcess();
  for (const sent of PREPARED) expect((await sendOf(sent)).status).toBeLessThan(300);
});
afterAll(() => core.close());

async function sendOf(sent: Sent): Promise<{ status: number; turns: number }> {
  let turns = 0;
  const turn = async (): Promise<void> => void turns++;
  const { status } = await core.handle({ ...request(sent, new AbortController().signal), turn });
  return { status, turns };
}

test.each(LARGE)('lets others through: %s', async (_, sent) => {
  const { status, turns } = await sendOf(sent);
  expect([200, 201, 400, 413, 422]).toContain(status);
  expect(turns).toBeGreaterThanOrEqual(status < 300 ? LEAST.accepted : LEAST.refused);
  expect(core.faults).toEqual([]);
});
