import { expect, test } from 'vitest';
import { changeOf } from '#lib/client/controller/object-change.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import type { ChangeType } from '#lib/storage/sequence.ts';
import { isHeartbeatAlone } from './heartbeat.ts';

interface Shown {
  readonly at?: string;
  readonly ready?: string;
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
}

const bytesOf = ({ at = '10:05:00', ready = 'True', spec = {}, metadata = {} }: Shown): Uint8Array => {
  const conditions = [{ type: 'Ready', status: ready, lastHeartbeatTime: `2026-01-01T${at}Z` }];
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', ...metadata }, spec, status: { conditions } };
  return Buffer.from(JSON.stringify(node));
};

const change = (now: Shown, before?: Shown, type: ChangeType = 'MODIFIED', key = 'main//nodes/n1') => {
  const body = bytesOf(now);
  return changeOf(type, { key, body, summary: summarizeBody(body) }, before && { body: bytesOf(before) });
};
const LATER = { at: '10:10:00', metadata: { resourceVersion: '8' } };

test('a node report without a change is only a heartbeat', () => {
  expect(isHeartbeatAlone(change(LATER, { metadata: { resourceVersion: '7' } }))).toBe(true);
});

test.each<[string, ReturnType<typeof change>]>([
  ['another condition', change({ ...LATER, ready: 'Unknown' }, {})],
  ['a taint', change({ ...LATER, spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }, {})],
  ['a label', change({ ...LATER, metadata: { labels: { a: 'b' } } }, {})],
  ['its deletion', change({ ...LATER, metadata: { deletionTimestamp: '2026-01-01T10:10:00Z' } }, {})],
  ['the first report of an hour', change({ at: '11:00:00' }, { at: '10:59:59' })],
  ['a change whose previous state is unknown', change(LATER)],
  ['a new node', change(LATER, undefined, 'ADDED')],
  ['a deleted node', change(LATER, undefined, 'DELETED')],
  ['an object of another type', change(LATER, {}, 'MODIFIED', 'main//pods/default/n1')],
])('%s is more than a heartbeat', (_, changed) => expect(isHeartbeatAlone(changed)).toBe(false));
