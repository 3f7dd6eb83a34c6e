import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { EVENTS, EVENTSV1_EVENTS } from '#lib/api/types/resources.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { event } from './event.ts';

const NOW = new Date('2024-01-01T01:00:00Z');
const BASE = {
  apiVersion: 'v1',
  metadata: { name: 'e' },
  involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{a}' },
  type: 'Normal',
  reason: 'Pulled',
  message: ' pulled\n',
};

const cellsOf = (object: JsonObject): Json[] => event.cells(decodedAs(EVENTS, object), NOW);

test.each<[string, JsonObject, [last: string, first: string, count: Json]]>([
  ['an event without a time', {}, ['<unknown>', '<unknown>', 1]],
  [
    'an event that its reporter counts',
    { firstTimestamp: '2024-01-01T00:00:00Z', lastTimestamp: '2024-01-01T00:55:00Z', count: 3 },
    ['5m', '60m', 3],
  ],
  ['a single event', { eventTime: '2024-01-01T00:50:00.000000Z', firstTimestamp: null }, ['10m', '10m', 1]],
  [
    'an event series',
    {
      eventTime: '2024-01-01T00:50:00.000000Z',
      series: { count: 9, lastObservedTime: '2024-01-01T00:59:00.500000Z' },
    },
    ['59s', '10m', 9],
  ],
])('shows the times and the count of %s', (_, rest, [last, first, count]) => {
  const cells = cellsOf({ ...BASE, ...rest });
  expect([cells[0], cells[7], cells[8]]).toEqual([last, first, count]);
});

test.each<[JsonObject, string]>([
  [{}, ''],
  [{ source: { component: 'kubelet' } }, 'kubelet'],
  [{ source: { component: 'kubelet', host: 'n' }, reportingComponent: 'x', reportingInstance: 'y' }, 'kubelet, n'],
  [{ source: {}, reportingComponent: 'x', reportingInstance: 'y' }, 'x, y'],
])('shows the source of %j as %j', (rest, source) => expect(cellsOf({ ...BASE, ...rest })[5]).toBe(source));

test('prints an event equally in both groups', () => {
  const { involvedObject: regarding, message: note, ...rest } = BASE;
  const other = { ...rest, apiVersion: 'events.k8s.io/v1', regarding, note, reportingController: 'x' };
  const cells = event.cells(decodedAs(EVENTSV1_EVENTS, other), NOW);
  expect(cells).toEqual(cellsOf({ ...BASE, reportingComponent: 'x' }));
  expect(cells.slice(1, 7)).toEqual(['Normal', 'Pulled', 'pod/p', 'spec.containers{a}', 'x', 'pulled']);
});

test('shows only the kind of an object without a name', () => {
  expect(cellsOf({ ...BASE, involvedObject: { kind: 'Node' } })[3]).toBe('node');
});
