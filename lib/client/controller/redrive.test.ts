import { expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import { encodeMessage, messageOf, type ReconcileMessage } from './delivery.ts';
import { redrive } from './redrive.ts';

const about = (reconciler: string, name: string): ReconcileMessage => ({
  ...messageOf({ reconciler, cluster: 'main', namespace: '', name, sequence: 's', version: 1 }),
  attempt: 30,
  asked: 1,
});

function dead(...bodies: string[]) {
  const there = new Set(bodies);
  const batches = [bodies.slice(0, 2), bodies.slice(2)];
  const receive = async () =>
    (batches.shift() ?? []).map((body) => ({ body, remove: async () => void there.delete(body) }));
  return { there, receive };
}

const bodies = ['no message', ...[about('a', '1'), about('b', '2'), about('a', '3')].map(encodeMessage)];

test.each<[string | undefined, string[], number]>([
  [undefined, ['1', '2', '3'], 1],
  ['a', ['1', '3'], 2],
])('resends dead letters of reconciler %s: %j as first attempts, and leaves %i', async (reconciler, names, left) => {
  const { there, receive } = dead(...bodies);
  const sent: ReconcileMessage[] = [];
  const ports = { receive, send: async (message: ReconcileMessage) => void sent.push(message), nonce: () => 'n' };
  const result = await redrive({ ...ports, ...defined({ reconciler }) });
  expect(result).toEqual({ sent: names.length, left });
  expect(sent.map(({ name, attempt, later }) => [name, attempt, later])).toEqual(names.map((name) => [name, 1, 'n']));
  expect(sent.map(({ asked }) => asked)).toEqual(names.map(() => undefined)); // no reconciler has requested another requeue since
  expect(there.size).toBe(left);
});

test('keeps a dead letter that could not be sent', async () => {
  const { there, receive } = dead(encodeMessage(about('a', '1')));
  const send = () => Promise.reject(new Error('no queue'));
  await expect(redrive({ receive, send, nonce: () => 'n' })).rejects.toThrow('no queue');
  expect(there.size).toBe(1);
});
