import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock as clock } from '#adapters/clock.ts';
import { conntrack } from '#adapters/node/nftables/conntrack.ts';
import { nft } from '#adapters/node/nftables/nft.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { TableName } from '#lib/node/nftables/table.ts';
import { TableSync } from '#lib/node/nftables/table-sync.ts';
import { replacement } from '#lib/node/nftables/transaction.ts';
import { localDetector } from '#lib/node/proxy/local-detector.ts';
import { type NodeSettings, Proxier, TABLE } from '#lib/node/proxy/nftables/proxier.ts';
import { ServiceState } from '#lib/node/proxy/service-state.ts';
import { anEndpointSpec, aPortSpec, aService, aSlice, NODE } from '#lib/node/proxy/testing/services.ts';
import type { IPFamily } from '#lib/node/proxy/types.ts';

const PODS = { mode: 'NodeCIDR', clusterCIDRs: [], interfaceName: '' } as const;

const settings = (family: IPFamily): NodeSettings => ({
  node: NODE,
  zone: '',
  ...defined({ localDetector: localDetector(PODS, ['10.244.0.0/24', 'fd01::/64'], family) }),
  masqueradeAll: false,
  serviceCIDRs: family === 'IPv4' ? ['10.96.0.0/12'] : ['fd00::/108'],
  nodePortIPs: undefined,
  nodeIP: family === 'IPv4' ? '10.100.0.1' : 'fd02::1',
});

const WEB: Readonly<Record<IPFamily, object>> = {
  IPv4: { clusterIP: '10.96.0.5', clusterIPs: ['10.96.0.5'], externalIPs: ['1.2.3.4'] },
  IPv6: { clusterIP: 'fd00::5', clusterIPs: ['fd00::5'], ipFamilies: ['IPv6'], externalIPs: ['fd09::1'] },
};

test.each<[IPFamily, TableName, readonly [string, string]]>([
  ['IPv4', { family: 'ip', name: TABLE }, ['10.244.0.1', '10.244.1.1']],
  ['IPv6', { family: 'ip6', name: TABLE }, ['fd01::1', 'fd01:0:0:1::1']],
])('the kernel accepts every rule of Services of %s, and each change to them', async (family, table, addresses) => {
  const state = new ServiceState();
  const proxier = new Proxier(family, state, settings(family));
  const sync = new TableSync({
    nftables: nft,
    clock,
    table,
    onCleanupFault: (error) => expect.unreachable(String(error)),
  });
  await sync.sync(proxier.table());
  const ports = ['TCP', 'UDP', 'SCTP'].map((protocol) =>
    aPortSpec({ name: protocol.toLowerCase(), protocol, nodePort: 30080 }),
  );
  const slicePorts = ports.map(({ name = '', protocol = '' }) => ({ name, protocol, port: 8080 }));
  const [local, other] = [anEndpointSpec(addresses[0], { nodeName: NODE }), anEndpointSpec(addresses[1])];
  const sticky = { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } };
  const balanced = { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8', '10.1.0.0/16', 'fd00::/8'] };
  const steps = [
    { spec: {}, endpoints: [] },
    { spec: {}, endpoints: [local, other] },
    { spec: sticky, endpoints: [local, other] },
    { spec: { ...sticky, ...balanced, externalTrafficPolicy: 'Local' }, endpoints: [local, other] },
    { spec: { ...sticky, ...balanced, externalTrafficPolicy: 'Local' }, endpoints: [other] },
    { spec: { ...balanced, internalTrafficPolicy: 'Local' }, endpoints: [other] },
    { spec: {}, endpoints: [other] },
    { spec: {}, endpoints: [] },
  ];
  for (const { spec, endpoints } of steps) {
    proxier.changed(state.putService(aService({ ...WEB[family], ports, ...spec }, 'web', ['5.6.7.8', 'fd09::2'])));
    const slice = aSlice(endpoints, { addressType: family, ports: slicePorts });
    for (const name of state.putSlice(slice)) proxier.changed(name);
    const wanted = proxier.table();
    expect(await sync.sync(wanted)).toBeGreaterThan(0);
    await expectInKernel(table, () => nft.apply(replacement({ ...table, name: 'fresh' }, wanted)));
  }
});

/** Compares the table with one created in one step. Empty chains that are due for removal are ignored. */
async function expectInKernel(table: TableName, makeFresh: () => Promise<void>): Promise<void> {
  await makeFresh();
  const [changed, fresh] = [await nft.list(table), await nft.list({ ...table, name: 'fresh' })];
  expect(partsOf(changed)).toEqual(partsOf(fresh));
}

const partsOf = (text = ''): string[] =>
  text
    .split('\n\n')
    .map((part) => part.replaceAll(/table \S+ \S+ \{\n|\n\}\n*$/g, '').trim())
    .filter((part) => !/^chain \S+\/\S* \{\s*\}$/.test(part))
    .map(withSortedElements)
    .toSorted();

/** Sorts elements, because the kernel lists them in its own order. */
const withSortedElements = (part: string): string =>
  part.replace(/elements = \{([^}]*)\}/, (_, all: string) =>
    all
      .split(',')
      .map((one) => one.trim())
      .toSorted()
      .join(),
  );

test('a transaction that fails changes nothing, and returns the reason', async () => {
  const table = { family: 'ip', name: 'faulty' } as const;
  await nft.apply('add table ip faulty\n');
  await expect(nft.apply('add chain ip faulty a\nadd rule ip faulty a goto nowhere\n')).rejects.toThrow(
    /^nft: .*nowhere/s,
  );
  expect(await nft.list(table)).toBe('table ip faulty {\n}\n');
});

test('returns undefined for a table that does not exist', async () => {
  expect(await nft.list({ family: 'inet', name: 'none' })).toBeUndefined();
});

test('UDP flows are listed, and forgotten one by one', async () => {
  await nft.apply(
    [
      'add table ip flows',
      'add chain ip flows out { type nat hook output priority -100 ; }',
      'add rule ip flows out ip daddr 127.0.0.9 udp dport 53 dnat to 127.0.0.1:5353',
      '',
    ].join('\n'),
  );
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  await new Promise<void>((resolve) => void socket.send('hello', 53, '127.0.0.9', () => resolve()));
  await new Promise<void>((resolve) => void socket.send('hello', 53, '127.0.0.10', () => resolve()));
  const flows = await conntrack.list('IPv4');
  const first = flows.find(({ destination }) => destination === '127.0.0.9');
  expect(first).toEqual({
    source: '127.0.0.1',
    sourcePort: socket.address().port,
    destination: '127.0.0.9',
    destinationPort: 53,
    replySource: '127.0.0.1',
    replySourcePort: 5353,
  });
  const gone = {
    source: '127.0.0.1',
    sourcePort: 1,
    destination: '127.0.0.8',
    destinationPort: 53,
    replySource: '127.0.0.1',
    replySourcePort: 1,
  };
  await conntrack.delete('IPv4', [gone, ...(first === undefined ? [] : [first])]);
  expect((await conntrack.list('IPv4')).map(({ destination }) => destination)).toEqual(['127.0.0.10']);
  socket.close();
});
