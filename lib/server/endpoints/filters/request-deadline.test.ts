import { expect, test } from 'vitest';
import { NO_INFO } from '#lib/server/request/request-info.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import type { FilterPorts } from './filter.ts';
import { requestDeadline } from './request-deadline.ts';

const CREATE = { ...NO_INFO, verb: 'create' };
const DONE = { status: 200, headers: {}, body: '' };

/** Returns the response of a handler that takes `seconds`; an error as its code. */
async function answered(
  method: string,
  timeout: string | undefined,
  seconds: number,
  info: Record<string, string> = {},
): Promise<number> {
  const clock = new ManualClock();
  const query = new URLSearchParams(timeout === undefined ? {} : { timeout });
  const handler = requestDeadline(async () => clock.sleep(seconds * 1000).then(() => DONE), {
    clock,
  } as unknown as FilterPorts);
  const context = aRequestContext({ method, query }, { info: { ...CREATE, ...info } });
  const answer = handler(context).then(
    ({ status }) => status,
    (error: { code: number }) => error.code,
  );
  for (let at = 0; at < 120; at += 10) {
    clock.advance(10_000);
    await settled();
  }
  const code = await answer;
  expect(context.outcome.terminated).toBe(code === 504 ? true : undefined);
  return code;
}

test.each<[string, string, string | undefined, number, number]>([
  ['responds before the default limit', 'POST', undefined, 30, 200],
  ['ends after the default limit', 'POST', undefined, 100, 504],
  ['ends after its timeout', 'POST', '10s', 30, 504],
  ['responds before its timeout', 'POST', '90s', 50, 200],
  ['ends after the maximum, although its timeout is longer', 'POST', '1h', 100, 504],
  ['has the maximum for a timeout of zero', 'POST', '0s', 50, 200],
  ['has the maximum for a negative timeout', 'POST', '-1s', 50, 200],
  ['has no limit for a read without a timeout', 'GET', undefined, 100, 200],
  ['ends a read after its timeout', 'GET', '10s', 100, 504],
  ['rejects an invalid timeout', 'GET', 'soon', 1, 400],
])('limits a request: %s', async (_, method, timeout, seconds, code) => {
  expect(await answered(method, timeout, seconds)).toBe(code);
});

const STREAMS = ['attach', 'exec', 'log', 'portforward', 'proxy'];
test.each([{ verb: 'watch' }, ...STREAMS.map((subresource) => ({ subresource }))])(
  'does not limit the duration of %j',
  async (info) => {
    expect(await answered('POST', '1s', 100, info)).toBe(200);
  },
);

test('rejects each of many waiting requests at its own time', async () => {
  const clock = new ManualClock();
  const context = aRequestContext({ method: 'POST' }, { info: CREATE });
  const answers = [Promise.withResolvers<typeof DONE>(), Promise.withResolvers<typeof DONE>()];
  let asked = 0;
  const handler = requestDeadline(async () => (answers[asked++] as (typeof answers)[0]).promise, {
    clock,
  } as unknown as FilterPorts);
  const codes: number[] = [];
  const ask = (): void => void handler(context).catch((error: { code: number }) => codes.push(error.code));
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at++) {
      clock.advance(1000);
      await settled();
    }
  };
  ask();
  await pass(30);
  ask();
  await pass(32);
  expect(codes).toEqual([504]);
  await pass(30);
  expect(codes).toEqual([504, 504]);
});
