import { expect, test } from 'vitest';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { type Endpoint, endpointsOf } from './endpoint.ts';
import { anEndpointSpec, aSlice, NODE } from './testing/services.ts';

const KEY = 'default/web::TCP';
const read = (...slices: readonly EndpointSlice[]): readonly Endpoint[] =>
  endpointsOf('default/web', slices, 'IPv4', NODE).get(KEY) ?? [];
const texts = (endpoints: readonly Endpoint[]): string[] => endpoints.map(({ text }) => text);

test('sorts the endpoints of all slices by text and lists each once', () => {
  const slices = [
    aSlice([anEndpointSpec('10.244.0.9'), anEndpointSpec('10.244.0.1')]),
    aSlice([anEndpointSpec('10.244.0.1')]),
  ];
  expect(texts(read(...slices))).toEqual(['10.244.0.1:8080', '10.244.0.9:8080']);
});

test('omits slices of the other family, ports without a number and invalid addresses', () => {
  expect(read(aSlice([anEndpointSpec('10.244.0.1')], { addressType: 'FQDN' }))).toEqual([]);
  expect(read(aSlice([anEndpointSpec('10.244.0.1')], { ports: [{ name: '' }] }))).toEqual([]);
  expect(read(aSlice([anEndpointSpec('10.244.0.1 accept'), anEndpointSpec('fd00::1')]))).toEqual([]);
  expect(read(aSlice([], { endpoints: null, ports: null }))).toEqual([]);
});

test('treats absent conditions as ready and serving', () => {
  const [endpoint] = read(aSlice([anEndpointSpec('10.244.0.1', { conditions: {} })]));
  expect(endpoint).toMatchObject({ isReady: true, isServing: true, isTerminating: false });
});

test('marks an endpoint on this node as local', () => {
  const specs = [anEndpointSpec('10.244.0.1', { nodeName: NODE }), anEndpointSpec('10.244.0.2')];
  expect(read(aSlice(specs)).map(({ isLocal }) => isLocal)).toEqual([true, false]);
});

test('prefers the pod that is not terminating if two pods share an address', () => {
  const ending = anEndpointSpec('10.244.0.1', { conditions: { ready: false, serving: true, terminating: true } });
  const running = anEndpointSpec('10.244.0.1');
  for (const order of [
    [ending, running],
    [running, ending],
  ])
    expect(read(aSlice(order))).toMatchObject([{ isTerminating: false }]);
});

test('puts an IPv6 endpoint in brackets before its port', () => {
  const slice = aSlice([anEndpointSpec('fd00:0:0::1')], { addressType: 'IPv6' });
  expect(texts(endpointsOf('default/web', [slice], 'IPv6', NODE).get(KEY) ?? [])).toEqual(['[fd00::1]:8080']);
});
