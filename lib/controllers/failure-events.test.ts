import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { alreadyExists, unclassified } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { failureEvents } from './failure-events.ts';

const NAMESPACE: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', uid: 'u' } };
const FAILURE: Invocation = {
  id: 'i',
  type: 'Reconcile',
  function: 'serviceaccount',
  key: 'team',
  attempt: 4,
  start: '',
  durationMs: 1,
  outcome: 'Error',
  message: 'it is denied',
};

function world(more: Partial<Pick<Client, 'get' | 'list'>> = {}) {
  const clock = new ManualClock();
  const events: JsonObject[] = [];
  const client = {
    get: async () => NAMESPACE,
    list: async () => [],
    async create(_resource: unknown, event: JsonObject) {
      if (events.length > 0) throw alreadyExists({ group: '', resource: 'events' }, 'e');
      events.push(event);
      return event;
    },
    async patch(_ref: unknown, patch: JsonObject) {
      events.push(patch);
      return { ...events[0], ...patch };
    },
    ...more,
  } as unknown as Client;
  const sink = failureEvents({ client, events: new EventCorrelator(clock) });
  return { clock, events, tell: async (change: Partial<Invocation> = {}) => sink.record({ ...FAILURE, ...change }) };
}

test('creates an event for a lasting failure at most once in five minutes', async () => {
  const { clock, events, tell } = world();
  for (let attempt = 1; attempt < 10; attempt++) await tell({ attempt });
  expect(events).toMatchObject([
    {
      type: 'Warning',
      reason: 'ReconcileError',
      message: 'it is denied',
      source: { component: 'serviceaccount' },
      involvedObject: { kind: 'Namespace', name: 'team', uid: 'u', apiVersion: 'v1' },
      metadata: { namespace: 'default' },
    },
  ]);
  clock.advance(5 * 60_000);
  await tell({ attempt: 11 });
  expect(events).toHaveLength(2);
});

test.each<[string, Partial<Invocation>]>([
  ['an early attempt', { attempt: 3 }],
  ['a success', { outcome: 'Done' }],
  ["a user's reconciler, which creates its own", { function: 'mine' }],
  ['a key without an object', { function: 'garbage-collector', key: '["item",{}]' }],
])('creates no event for %s', async (_, change) => {
  const { events, tell } = world();
  await tell(change);
  expect(events).toEqual([]);
});

test('creates an event at once for a key that is given up', async () => {
  const { events, tell } = world();
  await tell({ attempt: 1, outcome: 'Terminal' });
  expect(events).toHaveLength(1);
});

test.each<[string, Partial<Pick<Client, 'get' | 'list'>>]>([
  ['the object is gone', { get: async () => undefined }],
  [
    'the reconciler recorded its own event',
    { list: async () => [{ source: { component: 'serviceaccount' }, reason: 'FailedCreate' }] },
  ],
  ['the server does not respond', { get: () => Promise.reject(unclassified('no')) }],
])('creates no event if %s', async (_, more) => {
  const { events, tell } = world(more);
  await tell();
  expect(events).toEqual([]);
});
