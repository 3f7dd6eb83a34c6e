import { expect, test } from 'vitest';
import type { Notes } from '#lib/client/controller/notes.ts';
import type { Attempt } from '#lib/client/controller/observe.ts';
import type { Result } from '#lib/client/controller/reconciler.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import type { Invocation } from './invocation.ts';
import { invocationLines } from './line.ts';
import { invocationRecorder } from './recorder.ts';

const ATTEMPT: Attempt = { reconciler: 'sites', key: 'team/home', attempt: 2 };
const OBJECT = { apiVersion: 'example.com/v1', kind: 'Site', namespace: 'team', name: 'home' };

function world(keepsLogs = true) {
  const clock = new ManualClock();
  const records: Invocation[] = [];
  const logged: unknown[] = [];
  const line = (message: string, fields?: object): unknown => logged.push({ message, ...fields });
  const observe = invocationRecorder({
    clock,
    sinks: [{ record: (invocation) => void records.push(invocation) }],
    log: { info: line, error: line },
    nonce: () => 'id-1',
    objectOf: () => OBJECT,
    keepsLogs,
  });
  return { clock, records, logged, observe };
}

test.each<[string, Result, Partial<Invocation>]>([
  ['a finished attempt', undefined, { outcome: 'Done' }],
  ['a requeued attempt', { requeueAfter: 500 }, { outcome: 'RequeueAfter', requeueAfterMs: 500 }],
  ['a terminal failure', { terminal: 'no such bank' }, { outcome: 'Terminal', message: 'no such bank' }],
])('records %s with its time', async (_, result, expected) => {
  const { clock, records, observe } = world();
  const given = await observe(ATTEMPT, async () => {
    clock.advance(12);
    return result;
  });
  expect(given).toBe(result);
  const rest = { id: 'id-1', type: 'Reconcile', function: 'sites', key: 'team/home', attempt: 2, object: OBJECT };
  expect(records).toEqual([{ ...rest, start: '2023-11-14T22:13:20.000000Z', durationMs: 12, ...expected }]);
});

test('records a shortened error, and rethrows it', async () => {
  const { records, observe } = world();
  const failure = new Error('x'.repeat(5000));
  await expect(observe(ATTEMPT, () => Promise.reject(failure))).rejects.toBe(failure);
  expect(records).toMatchObject([{ outcome: 'Error', message: `${'x'.repeat(1023)}…` }]);
});

test('records log lines of the call, and the state that it read', async () => {
  const { records, logged, observe } = world();
  await observe({ ...ATTEMPT, version: 7 }, async (notes?: Notes) => {
    for (let i = 0; i < 60; i++) notes?.log.info(`line ${i}`, { i });
    notes?.read({ uid: 'u' });
    return undefined;
  });
  expect(records[0]?.object).toEqual({ ...OBJECT, uid: 'u', resourceVersion: '7' });
  expect(records[0]?.logs).toHaveLength(50);
  const last = { time: '2023-11-14T22:13:20.000000Z', level: 'info', message: 'line 59', fields: { i: 59 } };
  expect(records[0]?.logs?.at(-1)).toEqual(last);
  expect(logged[0]).toEqual({ message: 'line 0', reconciler: 'sites', i: 0, invocation: 'id-1' });
});

test('writes a line with a level and its own fields, without the log lines', async () => {
  const lines: object[] = [];
  const { records, observe } = world(false);
  await observe(ATTEMPT, async (notes) => {
    notes?.log.info('hello');
    return { terminal: 'no' };
  });
  for (const one of records) await invocationLines((line) => lines.push(line)).record(one);
  expect(records[0]).not.toHaveProperty('logs');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 'error',
    event: 'invocation',
    function: 'sites',
    message: 'no',
  });
});
