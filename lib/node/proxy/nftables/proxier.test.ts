import { expect, test } from 'vitest';
import type { Table } from '#lib/node/nftables/table.ts';
import { change } from '#lib/node/nftables/transaction.ts';
import { ServiceState } from '../service-state.ts';
import { anEndpointSpec, aPortSpec, aService, aSlice, NODE } from '../testing/services.ts';
import { type NodeSettings, Proxier, TABLE } from './proxier.ts';

const SETTINGS: NodeSettings = {
  node: NODE,
  zone: 'a',
  masqueradeAll: false,
  serviceCIDRs: [],
  nodePortIPs: ['192.0.2.1'],
  nodeIP: '192.0.2.1',
};
const NAME = { family: 'ip', name: TABLE } as const;

function setup() {
  const state = new ServiceState();
  const proxier = new Proxier('IPv4', state, SETTINGS);
  return { state, proxier };
}

const lines = (before: Table, after: Table): string[] =>
  (change(NAME, before, after)?.commands ?? '').split('\n').filter((line) => line !== '');
const address = (n: number): string => `10.96.${n >> 8}.${n & 255}`;
const service = (n: number) => aService({ clusterIP: address(n), clusterIPs: [address(n)] }, `s${n}`);

test('changes one of a thousand Services with a transaction of a few lines', () => {
  const { state, proxier } = setup();
  for (let n = 0; n < 1000; n++) proxier.changed(state.putService(service(n)));
  for (let n = 0; n < 1000; n++) {
    const labels = { 'kubernetes.io/service-name': `s${n}` };
    const endpoints = [anEndpointSpec('10.244.0.1'), anEndpointSpec('10.244.0.2')];
    const slice = aSlice(endpoints, { metadata: { name: `s${n}`, namespace: 'default', labels } });
    for (const name of state.putSlice(slice)) proxier.changed(name);
  }
  const before = proxier.table();
  const labels = { 'kubernetes.io/service-name': 's7' };
  const slice = aSlice([anEndpointSpec('10.244.0.1')], { metadata: { name: 's7', namespace: 'default', labels } });
  for (const name of state.putSlice(slice)) proxier.changed(name);
  const found = lines(before, proxier.table());
  expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['flush chain', 'add rule']);
});

test('writes no transaction for a change that affects no rule', () => {
  const { state, proxier } = setup();
  proxier.changed(state.putService(service(1)));
  const before = proxier.table();
  const labelled = { ...service(1), metadata: { name: 's1', namespace: 'default', labels: { a: 'b' } } };
  proxier.changed(state.putService(labelled));
  expect(lines(before, proxier.table())).toEqual([]);
});

test('removes all parts of a deleted Service', () => {
  const { state, proxier } = setup();
  const empty = proxier.table();
  proxier.changed(state.putService(aService({ ports: [aPortSpec({ nodePort: 30080 })] })));
  for (const name of state.putSlice(aSlice([anEndpointSpec('10.244.0.1')]))) proxier.changed(name);
  expect(proxier.table()).not.toEqual(empty);
  proxier.changed(state.deleteService('default', 'web'));
  expect(proxier.table()).toEqual(empty);
});

test('selects other endpoints if the zone of the node changes', () => {
  const { state, proxier } = setup();
  proxier.changed(state.putService(aService()));
  const hinted = (ip: string, zone: string) => anEndpointSpec(ip, { hints: { forZones: [{ name: zone }] } });
  for (const name of state.putSlice(aSlice([hinted('10.244.0.1', 'a'), hinted('10.244.0.2', 'b')])))
    proxier.changed(name);
  const before = proxier.table();
  proxier.place({ ...SETTINGS, zone: 'b' });
  expect(lines(before, proxier.table()).join('\n')).toContain('{ 0 : 10.244.0.2 . 8080 }');
});

test('gives a shared address to the first of two Services', () => {
  const { state, proxier } = setup();
  for (const name of ['web', 'thief']) proxier.changed(state.putService(aService({ externalIPs: ['1.2.3.4'] }, name)));
  const elements = proxier.table().maps.get('no-endpoint-services')?.elements;
  expect([...(elements ?? [])].length).toBe(2);
  proxier.changed(state.deleteService('default', 'web'));
  expect(proxier.table().maps.get('no-endpoint-services')?.elements).toEqual(elements);
});
