import { expect, test } from 'vitest';
import type { Client } from '#lib/client/client.ts';
import { conflict } from '#lib/machinery/errors.ts';
import { aHandle, aPodInfo } from '#lib/scheduler/testing/wrappers.ts';
import { CycleState } from '../../cycle-state.ts';
import { defaultBinder } from './default-binder.ts';

const bindWith = (create: Client['create']) => {
  const client = { ...aHandle().client, create };
  const plugin = defaultBinder(undefined, aHandle({ client }));
  return plugin.bind?.(new CycleState(), aPodInfo({ name: 'p', namespace: 'ns', uid: 'u' }), 'n');
};

test('binds through the subresource, and only the pod with this uid', async () => {
  const calls: unknown[] = [];
  const outcome = await bindWith(async (...call) => {
    calls.push(call);
    return {};
  });
  expect(outcome).toBeUndefined();
  const metadata = { namespace: 'ns', name: 'p', uid: 'u' };
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'n' } };
  expect(calls).toEqual([[{ group: '', version: 'v1', resource: 'pods' }, binding, 'binding']]);
});

test('returns the refusal of the API server as an error', async () => {
  const refusal = conflict({ group: '', resource: 'pods/binding' }, 'p', 'pod p is already assigned to node "m"');
  expect(await bindWith(() => Promise.reject(refusal))).toEqual({ code: 'Error', reasons: [refusal.message] });
});
