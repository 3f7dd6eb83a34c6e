import { expect, test } from 'vitest';
import { apiClient } from '#lib/client/api-client.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';
import { EVENTS, eventRecorder } from './event-recorder.ts';

const REGARDING = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'a', uid: 'u' } };
const TEXT = { type: 'Warning', reason: 'Failed', action: 'Try', note: 'no room' } as const;

test('counts a repeated event on its series, at most once a second', async () => {
  const clock = new ManualClock();
  const { server, faults } = serverInProcess({ clock });
  const client = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'test' });
  await client.create({ group: '', version: 'v1', resource: 'namespaces' }, { metadata: { name: 'default' } });
  const onError = (error: unknown): void => void faults.push(error);
  const recorder = eventRecorder({ client, clock, controller: 'mine', onError });
  const counts: unknown[] = [];
  for (const pause of [0, 0, 999, 1, 999, 1]) {
    clock.advance(pause);
    await recorder.event(REGARDING, TEXT);
    const [event, ...others] = await client.list(EVENTS, { namespace: 'default' });
    expect([others, faults]).toEqual([[], []]);
    counts.push((event?.['series'] as { readonly count?: number } | undefined)?.count ?? 1);
  }
  expect(counts).toEqual([1, 1, 1, 2, 2, 3]);
  await recorder.event(REGARDING, { ...TEXT, note: 'no room at all' });
  expect(await client.list(EVENTS, { namespace: 'default' })).toHaveLength(2);
  expect(faults).toEqual([]);
  await server.close();
});
