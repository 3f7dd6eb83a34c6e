import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { internalError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { schedulerConfiguration } from './apis/config/configuration.ts';
import { Scheduler } from './scheduler.ts';
import { aHandle, aNode, aPod } from './testing/wrappers.ts';

const versioned = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...Object(object['metadata']), resourceVersion: '1', generation: 1 },
});

test('a fault in preemption is reported, and tried again, but not for ever', async () => {
  const pods = [
    aPod({ name: 'low', nodeName: 'a', requests: { cpu: '1' } }),
    aPod({ name: 'vip', priority: 9, requests: { cpu: '1' } }),
  ].map(versioned);
  const node = versioned(aNode({ name: 'a', capacity: { cpu: '1', pods: '9' } }));
  const [faults, deleted, clock]: [unknown[], string[], ManualClock] = [[], [], new ManualClock()];
  const broken = internalError('broken');
  const client: Client = {
    ...aHandle().client,
    get: async ({ name }) => pods.find((pod) => nameOf(pod) === name),
    list: async () => [],
    create: async (_resource, object) => object,
    patch: async () => ({}),
    async delete({ name }) {
      deleted.push(name);
      throw broken;
    },
  };
  const scheduler = new Scheduler({
    ...schedulerConfiguration(),
    extenders: () => [],
    client,
    clock,
    random: () => 0,
    reportFault: (error) => faults.push(error),
  });
  scheduler.tell('nodes', node);
  for (const pod of pods) scheduler.tell('pods', pod);
  await scheduler.settle();
  expect([deleted, faults]).toEqual([
    ['low', 'low', 'low'],
    [broken, broken, broken],
  ]);
  await scheduler.close();
});
