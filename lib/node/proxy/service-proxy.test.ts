import { expect, test } from 'vitest';
import { expose } from '#lib/machinery/metrics/text.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import type { Flow } from './conntrack/cleanup.ts';
import { ProxyMetrics } from './metrics.ts';
import { ServiceProxy } from './service-proxy.ts';
import { anEndpointSpec, aPortSpec, aService, aSlice, NODE } from './testing/services.ts';
import type { ServiceName } from './types.ts';

/** Runs everything that does not wait for a timer. */
const FLOW: Flow = {
  source: '10.244.0.9',
  sourcePort: 1000,
  destination: '10.96.0.5',
  destinationPort: 80,
  replySource: '10.244.0.1',
  replySourcePort: 8080,
};

async function running() {
  const clock = new ManualClock();
  const applied: string[] = [];
  const forgotten: Flow[] = [];
  const faults: string[] = [];
  const broken = { nftables: false, conntrack: false };
  let healthPorts: ReadonlyMap<ServiceName, number> = new Map();
  const metrics = new ProxyMetrics();
  const proxy = new ServiceProxy({
    families: ['IPv4'],
    clock,
    metrics,
    nftables: {
      async apply(commands) {
        if (broken.nftables) throw new Error('no');
        applied.push(commands);
      },
      list: async () => undefined,
      remembered: async () => new Map(),
    },
    conntrack: {
      async list() {
        if (broken.conntrack) throw new Error('no conntrack');
        return [FLOW];
      },
      delete: async (_, flows) => void forgotten.push(...flows),
    },
    settings: () => ({
      node: NODE,
      zone: '',
      masqueradeAll: false,
      serviceCIDRs: [],
      nodePortIPs: undefined,
      nodeIP: undefined,
    }),
    healthPorts: () => ({ sync: async (ports) => void (healthPorts = ports) }),
    onFault: (what) => void faults.push(what),
  });
  const ending = new AbortController();
  const ended = proxy.run(ending.signal);
  const passed = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await settled(5);
  };
  await settled(5);
  const end = async (): Promise<void> => {
    ending.abort();
    await ended;
  };
  return { proxy, clock, applied, forgotten, faults, broken, metrics, passed, end, healthPorts: () => healthPorts };
}

test('writes no rules before all Services and all slices are listed', async () => {
  const { proxy, applied, passed, end } = await running();
  proxy.putService(aService());
  proxy.listed('services');
  await settled(5);
  expect(applied).toEqual([]);
  proxy.putSlice(aSlice([anEndpointSpec('10.244.0.1')]));
  proxy.listed('slices');
  await settled(5);
  expect(applied.length).toBe(1);
  expect(applied[0]).toContain('10.244.0.1 . 8080');
  proxy.listed('slices'); // listed again, without a change
  await passed(5000);
  expect(applied.length).toBe(1);
  await end();
});

test('combines changes within a second in one transaction', async () => {
  const { proxy, applied, passed, end } = await running();
  proxy.listed('services');
  proxy.listed('slices');
  await settled(5);
  for (const name of ['a', 'b', 'c']) proxy.putService(aService({ externalIPs: [`1.2.3.${name.length}`] }, name));
  await settled(5);
  expect(applied.length).toBe(1);
  await passed(1000);
  expect(applied.length).toBe(2);
  await end();
});

test('retries a failed transaction and replaces the table', async () => {
  const { proxy, applied, broken, faults, passed, end } = await running();
  broken.nftables = true;
  proxy.listed('services');
  proxy.listed('slices');
  await settled(5);
  expect(faults).toEqual(['cannot write the rules of Services']);
  expect(proxy.syncedFamilies()).toEqual([]);
  broken.nftables = false;
  await passed(1000);
  expect(applied.map((text) => text.includes('delete table'))).toEqual([true]);
  expect(proxy.syncedFamilies()).toEqual(['IPv4']);
  proxy.removed('IPv4');
  await passed(1000);
  expect(applied.map((text) => text.includes('delete table'))).toEqual([true, true]);
  await end();
});

test('deletes UDP flows to a removed endpoint, even if the first attempt failed', async () => {
  const { proxy, forgotten, broken, faults, passed, end } = await running();
  const udp = { ports: [aPortSpec({ protocol: 'UDP' })] };
  const slice = (address: string) =>
    aSlice([anEndpointSpec(address)], { ports: [{ name: '', port: 8080, protocol: 'UDP' }] });
  proxy.putService(aService(udp));
  proxy.putSlice(slice('10.244.0.1'));
  proxy.listed('services');
  proxy.listed('slices');
  await settled(5);
  expect(forgotten).toEqual([]);
  broken.conntrack = true;
  proxy.putSlice(slice('10.244.0.2'));
  await passed(1000);
  expect(faults).toEqual(['cannot forget flows of UDP to endpoints that are gone (IPv4)']);
  broken.conntrack = false;
  proxy.putService(aService({ ...udp, externalIPs: ['1.2.3.4'] }));
  await passed(1000);
  expect(forgotten).toEqual([FLOW]);
  await end();
});

test('writes every rule each hour', async () => {
  const { proxy, applied, passed, end } = await running();
  proxy.listed('services');
  proxy.listed('slices');
  await settled(5);
  await passed(1000);
  await passed(3_600_000);
  expect(applied.map((text) => text.includes('delete table'))).toEqual([true, true]);
  await end();
});

test('updates local endpoints, health check node ports and metrics with the last rules', async () => {
  const { proxy, clock, metrics, healthPorts, passed, end } = await running();
  const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 31_000 };
  proxy.putService(aService(spec));
  proxy.listed('services');
  proxy.listed('slices');
  await settled(5);
  clock.advance(500);
  const triggered = { 'endpoints.kubernetes.io/last-change-trigger-time': new Date(clock.now()).toISOString() };
  const slice = aSlice([anEndpointSpec('10.244.0.1', { nodeName: NODE })]);
  proxy.putSlice({ ...slice, metadata: { ...slice.metadata, annotations: triggered } });
  await passed(500);
  expect([...healthPorts()]).toEqual([['default/web', 31_000]]);
  expect(proxy.localReady('IPv4', 'default/web')).toBe(1);
  const text = await expose([metrics]);
  expect(text).toContain('kubeproxy_network_programming_duration_seconds_sum{ip_family="IPv4"} 0.5\n');
  expect(text).toContain('kubeproxy_sync_partial_proxy_rules_duration_seconds_count{ip_family="IPv4"} 1\n');
  expect(text).toContain('kubeproxy_sync_proxy_rules_endpoint_changes_pending 0\n');
  await end();
});
