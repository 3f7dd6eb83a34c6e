import { expect, test } from 'vitest';
import { decodeMessage, deduplicationId, encodeMessage, groupId, messageOf } from './delivery.ts';

const message = messageOf({
  reconciler: 'database',
  cluster: 'main',
  namespace: 'ns',
  name: 'a',
  sequence: 'main/example.com/databases',
  version: 7,
});

test('parses a message that it serialized', () => {
  for (const one of [message, { ...message, later: 'n', attempt: 3, queue: 'sites.fifo' }])
    expect(decodeMessage(encodeMessage(one))).toEqual(one);
});

test.each([
  ['invalid JSON', '{'],
  ['an array instead of an object', '[]'],
  ['a missing field', '{"reconciler":"a"}'],
  ['an invalid version', encodeMessage({ ...message, version: -1 })],
  ['a queue that is not a queue name', encodeMessage({ ...message, queue: 'https://x.example.com/sites.fifo' })],
  ['an unknown field', JSON.stringify({ ...message, body: {} })],
])('rejects a message with %s', (_, text) => {
  expect(() => decodeMessage(text)).toThrow(TypeError);
});

test('puts all changes of one object into one group', () => {
  expect(groupId(message)).toMatch(/^[0-9a-f]{64}$/);
  expect(groupId({ ...message, version: 8 } as typeof message)).toBe(groupId(message));
  const others = [{ reconciler: 'b' }, { cluster: 'b' }, { namespace: 'b' }, { name: 'b' }];
  expect(new Set(others.map((other) => groupId({ ...message, ...other })).concat(groupId(message))).size).toBe(5);
});

test('deduplicates a change, but never a message sent through `later`', () => {
  const ids = [
    message,
    { ...message, version: 8 },
    { ...message, sequence: 'main/batch/jobs' },
    { ...message, later: 'a' },
    { ...message, later: 'b' },
  ].map(deduplicationId);
  expect(new Set(ids).size).toBe(5);
  expect(deduplicationId({ ...message, attempt: 2 })).toBe(deduplicationId(message));
});
