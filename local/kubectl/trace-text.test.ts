import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { insights } from './ask-invocations.ts';
import { since, type Trace } from './gather.ts';
import { traceText } from './trace-text.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const anObject = (kind: string, name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: 'team', uid: `uid-${name}`, generation: 2 },
  ...more,
});
const condition = { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable', message: 'not yet' };

const TRACED: Trace = {
  object: anObject('ReplicaSet', 'web-1', { status: { conditions: [condition] } }),
  owners: [anObject('Deployment', 'web', { gone: true })],
  dependents: [
    { object: anObject('Pod', 'web-1-a'), depth: 1 },
    { object: anObject('Job', 'of-it'), depth: 2 },
  ],
  events: [
    {
      type: 'Warning',
      reason: 'FailedCreate',
      message: 'no\u001b[31m red',
      count: 3,
      lastTimestamp: '2026-01-01T00:08:30Z',
      involvedObject: { kind: 'ReplicaSet', name: 'web-1' },
      reportingComponent: 'replicaset-controller',
    },
  ],
  invocations: [
    {
      id: 'i',
      type: 'Reconcile',
      function: 'replicaset-controller',
      key: 'team/web-1',
      object: { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace: 'team', name: 'web-1' },
      attempt: 2,
      start: '2026-01-01T00:08:30.123456Z',
      durationMs: 12.3456,
      outcome: 'RequeueAfter',
      requeueAfterMs: 90_000,
      logs: [{ time: '', level: 'error', message: 'quota' }],
    },
  ],
  notes: ['Forbidden'],
};

test('prints everything in order, without control characters', () => {
  expect(traceText(TRACED, NOW)).toBe(`ReplicaSet team/web-1 (apps/v1, generation 2, uid uid-web-1)
  of Deployment team/web (apps/v1, generation 2, gone)
  Available=False (MinimumReplicasUnavailable: not yet)

Dependents
    Pod team/web-1-a (apps/v1, generation 2, uid uid-web-1-a)
      Job team/of-it (apps/v1, generation 2, uid uid-of-it)

Events
  AGE        TYPE      REASON         OBJECT             FROM                    MESSAGE
  90s (x3)   Warning   FailedCreate   ReplicaSet web-1   replicaset-controller   no [31m red

Invocations
  START                      FUNCTION                OBJECT                  ATTEMPT   TOOK     OUTCOME          MESSAGE
  2026-01-01T00:08:30.123Z   replicaset-controller   ReplicaSet team/web-1   2         12.3ms   again in 1m30s
      error: quota

Not known: Forbidden
`);
});

test('folds repeats of an event or a call into the last one, with their number', () => {
  const [event = {}] = TRACED.events;
  const [call] = TRACED.invocations;
  if (call === undefined) throw new Error('no call');
  const events = [
    event,
    { ...event, reason: 'Other', count: 1 },
    { ...event, count: 2, lastTimestamp: '2026-01-01T00:09:30Z' },
  ];
  const invocations = [
    call,
    { ...call, id: 'j', function: 'other' },
    { ...call, id: 'k', attempt: 3, durationMs: 5, start: '2026-01-01T00:09:00.000000Z' },
    { ...call, id: 'l', outcome: 'Error' as const, message: 'no' },
  ];
  const text = traceText({ ...TRACED, events, invocations }, NOW);
  const lines = (title: string): string[] => (text.split(`${title}\n`)[1]?.split('\n\n')[0] ?? '').split('\n').slice(1);
  expect(lines('Events').map((line) => line.trim().slice(0, 35))).toEqual(
    ['90s        Warning   Other          ', '30s (x5)   Warning   FailedCreate   '].map((line) => line.slice(0, 35)),
  );
  const starts = lines('Invocations').filter((line) => line.startsWith('  2026'));
  expect(starts.map((line) => line.trim().split(/ {3,}/).slice(0, 5))).toEqual([
    ['2026-01-01T00:08:30.123Z', 'other', 'ReplicaSet team/web-1', '2', '12.3ms'],
    ['2026-01-01T00:09:00.000Z (x2)', 'replicaset-controller', 'ReplicaSet team/web-1', '3', '5ms'],
    ['2026-01-01T00:08:30.123Z', 'replicaset-controller', 'ReplicaSet team/web-1', '2', '12.3ms'],
  ]);
});

test('leaves out events and calls before a time', () => {
  const start = Date.parse('2026-01-01T00:08:30.124Z');
  expect(since(TRACED, start)).toEqual({ ...TRACED, events: [], invocations: [] });
  expect(since(TRACED, start - 200)).toEqual(TRACED);
});

test('leaves out empty sections', () => {
  const alone = { ...TRACED, owners: [], dependents: [], events: [], invocations: [], notes: [] };
  expect(traceText({ ...alone, object: anObject('Pod', 'p') }, NOW)).toBe(
    'Pod team/p (apps/v1, generation 2, uid uid-p)\n',
  );
});

test('translates its options into a query of CloudWatch Logs', () => {
  expect(
    insights({ function: 'a"b', failed: true, namespace: 'team' })
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    'fields @timestamp, function, object.kind, object.namespace, object.name, outcome, durationMs, attempt, message, requestId, @logStream',
    '| filter event = "invocation"',
    '| filter function = "a\\"b"',
    '| filter outcome in ["Terminal", "Error"]',
    '| filter object.namespace = "team"',
    '| sort @timestamp desc',
    '| limit 100',
    '',
  ]);
});
