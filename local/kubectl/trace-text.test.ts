import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { insights } from './ask-invocations.ts';
import type { Trace } from './gather.ts';
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

test('leaves out empty sections', () => {
  const alone = { ...TRACED, owners: [], dependents: [], events: [], invocations: [], notes: [] };
  expect(traceText({ ...alone, object: anObject('Pod', 'p') }, NOW)).toBe(
    'Pod team/p (apps/v1, generation 2, uid uid-p)\n',
  );
});

test('the same question is one to CloudWatch Logs', () => {
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
