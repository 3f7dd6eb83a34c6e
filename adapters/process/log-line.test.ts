import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logLine } from './log-line.ts';
import { carryingInvocation, collectCommits, duringWork, noteCommit } from './work.ts';

const printed: unknown[] = [];
beforeEach(() => {
  printed.splice(0);
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => printed.push(JSON.parse(String(line))) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test.each([
  ['', ['info', 'warning', 'error']],
  ['info', ['info', 'warning', 'error']],
  ['warning', ['warning', 'error']],
  ['error', ['error']],
  ['loud', ['info', 'warning', 'error']],
])('DAVIT_LOG_LEVEL=%s prints %j, and lines without a level', (least, levels) => {
  vi.stubEnv('DAVIT_LOG_LEVEL', least);
  for (const level of ['info', 'warning', 'error']) logLine({ level });
  logLine({ kind: 'Event' });
  const timestamp = expect.stringMatching(/Z$/);
  expect(printed).toEqual([...levels.map((level) => ({ timestamp, level })), { timestamp, kind: 'Event' }]);
});

test("adds the platform's request id to a line", async () => {
  await duringWork({ requestId: 'r1' }, async () => {
    await Promise.resolve();
    duringWork({ invocation: 'i1' }, () => logLine({ message: 'a' }));
  });
  logLine({ message: 'b' });
  expect(printed).toMatchObject([{ requestId: 'r1', message: 'a' }, { message: 'b' }]);
  expect(printed[1]).not.toHaveProperty('requestId');
});

test('collects the commits of concurrent requests separately', async () => {
  const commit = (sequence: string) =>
    collectCommits(async () => {
      await Promise.resolve();
      noteCommit(sequence, 1);
      noteCommit(sequence, 2);
      return sequence;
    });
  expect(await Promise.all([commit('a'), commit('b')])).toEqual([
    ['a', ['a@1', 'a@2']],
    ['b', ['b@1', 'b@2']],
  ]);
});

test("uses an attempt's id as audit id, unless the request has one", async () => {
  const handle = carryingInvocation(async (request: { readonly headers: Readonly<Record<string, string>> }) => request);
  const invocation = 'i1';
  expect(await duringWork({ invocation }, () => handle({ headers: {} }))).toEqual({ headers: { 'audit-id': 'i1' } });
  const own = { headers: { 'audit-id': 'mine' } };
  expect(await duringWork({ invocation }, () => handle(own))).toEqual(own);
  expect(await handle({ headers: {} })).toEqual({ headers: {} });
});
