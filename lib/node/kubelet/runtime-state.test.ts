import { expect, test } from 'vitest';
import type { RuntimeCondition } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { RuntimeState } from './runtime-state.ts';

const condition = (type: string, status: boolean, reason = '', message = ''): RuntimeCondition => ({
  type,
  status,
  reason,
  message,
});

test('makes the node not ready until the runtime has responded', () => {
  const state = new RuntimeState(new ManualClock());
  expect(state.runtimeErrors()).toEqual(['container runtime status check may not have completed yet']);
  expect(state.networkErrors()).toEqual(['network state unknown']);
});

test('treats the runtime as down thirty seconds after its last response', () => {
  const clock = new ManualClock();
  const state = new RuntimeState(clock);
  state.update({ conditions: [condition('RuntimeReady', true), condition('NetworkReady', true)] });
  clock.advance(29_999);
  expect([...state.runtimeErrors(), ...state.networkErrors()]).toEqual([]);
  clock.advance(1);
  expect(state.runtimeErrors()).toEqual(['container runtime is down']);
});

test("reports the runtime's own status and that of its network", () => {
  const state = new RuntimeState(new ManualClock(), [{ name: 'PLEG', fault: () => 'too slow' }]);
  const network = condition('NetworkReady', false, 'NetworkPluginNotReady', 'cni plugin not initialized');
  state.update({ conditions: [network] });
  expect(state.networkErrors()).toEqual([
    'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized',
  ]);
  expect(state.runtimeErrors()).toContain('PLEG is not healthy: too slow');
  expect(state.runtimeErrors()).toContain('container runtime not ready: <nil>');
});
