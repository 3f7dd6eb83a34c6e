import { expect, test } from 'vitest';
import { EVENTS, PODS } from '#lib/api/types/resources.ts';
import { clientset } from '#lib/client/clientset.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { aCloud } from '#test/support/controllers/cloud.ts';
import { core } from '#test/support/controllers/refs.ts';

test('a warm instance combines the events of a Deployment that a quota blocks', async () => {
  const cloud = await aCloud();
  cloud.events = new EventCorrelator(cloud.clock);
  await cloud.user.create(core('resourcequotas'), {
    metadata: { name: 'none', namespace: 'team' },
    spec: { hard: { pods: '0' } },
  });
  await cloud.settle();
  const labels = { app: 'web' };
  await cloud.user.create(
    { group: 'apps', version: 'v1', resource: 'replicasets' },
    {
      metadata: { name: 'web', namespace: 'team' },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  );
  for (let round = 0; round < 6; round++) await cloud.settle();
  const client = clientset(cloud.user);
  expect(await client.list(PODS, { namespace: 'team' })).toEqual([]);
  const events = await client.list(EVENTS, { namespace: 'team', fieldSelector: 'reason=FailedCreate' });
  expect(events.length).toBeLessThanOrEqual(10);
  const combined = events.filter(({ message }) => message?.startsWith('(combined from similar events): '));
  expect(combined).toHaveLength(1);
  expect(events.reduce((sum, { count = 0 }) => sum + count, 0)).toBeGreaterThan(10);
});
