import { expect, test } from 'vitest';
import { changeOf } from '#lib/client/controller/object-change.ts';
import { objectKey } from '#lib/storage/keys.ts';
import type { ChangeType } from '#lib/storage/sequence.ts';
import { OwnWrites } from './own-writes.ts';

const SETS = { group: 'apps', version: 'v1', resource: 'replicasets' };
const written = { metadata: { namespace: 'here', name: 'web', resourceVersion: '7' } };
const summary = { labels: {}, fields: {}, generation: 1, ownerReferences: [] };

const change = (version: number, name = 'web', type: ChangeType = 'MODIFIED') => {
  const key = objectKey({ cluster: 'main', group: 'apps', resource: 'replicasets', namespace: 'here', name });
  return changeOf(type, { key, version, body: Buffer.from('{}'), summary });
};

test.each([
  ['the write itself', change(7), true],
  ['a write of another client', change(8), false],
  ['a deletion', change(7, 'web', 'DELETED'), false],
  ['another object of that version', change(7, 'other'), false],
])('computes whether %s is an own write', (_, seen, isOwn) => {
  const writes = new OwnWrites();
  writes.settled(SETS, written);
  expect(writes.take(seen)).toBe(isOwn);
});

test('recognizes a write once, and not after another change of its object', () => {
  const writes = new OwnWrites();
  writes.settled(SETS, written);
  expect([writes.take(change(7)), writes.take(change(7))]).toEqual([true, false]);
  writes.settled(SETS, written);
  expect([writes.take(change(6)), writes.take(change(7))]).toEqual([false, false]);
});

test('forgets writes whose changes never arrive', () => {
  const writes = new OwnWrites();
  writes.settled(SETS, written);
  for (let i = 0; i < 1000; i++) writes.settled(SETS, { metadata: { ...written.metadata, name: `other-${i}` } });
  expect(writes.take(change(7))).toBe(false);
  expect(writes.take(change(7, 'other-999'))).toBe(true);
});
