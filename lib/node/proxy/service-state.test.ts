import { expect, test } from 'vitest';
import { ServiceState } from './service-state.ts';
import { anEndpointSpec, aService, aSlice } from './testing/services.ts';

const WEB = 'default/web';
const slice = (labels: Record<string, string>) =>
  aSlice([anEndpointSpec('10.244.0.1')], { metadata: { name: 'web-1', namespace: 'default', labels } });

test('reports the current and the previous Service of a slice', () => {
  const state = new ServiceState();
  expect(state.putSlice(slice({ 'kubernetes.io/service-name': 'web' }))).toEqual([WEB]);
  expect(state.putSlice(slice({ 'kubernetes.io/service-name': 'other' }))).toEqual([WEB, 'default/other']);
  expect([...state.slices(WEB)]).toEqual([]);
  expect(state.deleteSlice('default', 'web-1')).toEqual(['default/other']);
  expect(state.deleteSlice('default', 'web-1')).toEqual([]);
});

test.each([{}, { 'service.kubernetes.io/headless': '' }, { 'service.kubernetes.io/service-proxy-name': 'mine' }])(
  'ignores a slice with the labels %j',
  (labels: Record<string, string>) => {
    const named = Object.keys(labels).length === 0 ? {} : { 'kubernetes.io/service-name': 'web' };
    expect(new ServiceState().putSlice(slice({ ...named, ...labels }))).toEqual([]);
  },
);

test('keeps a Service until it is deleted', () => {
  const state = new ServiceState();
  expect(state.putService(aService())).toBe(WEB);
  expect([...state.names()]).toEqual([WEB]);
  expect(state.deleteService('default', 'web')).toBe(WEB);
  expect(state.service(WEB)).toBeUndefined();
});
