import { describe, expect, test } from 'vitest';
import { networkConfFromBytes } from '#lib/node/cni/conf.ts';
import { type KubenetSettings, kubenetConfList, missingPlugins } from './conf-list.ts';
import { masqueradeTable } from './masquerade.ts';
import { podMTU } from './mtu.ts';

const SETTINGS: KubenetSettings = {
  podCIDRs: ['10.244.1.0/24', 'fd00:1::/64'],
  mtu: 1450,
  hairpinMode: 'hairpin-veth',
  hasPlugin: () => true,
};
const listOf = (changes: Partial<KubenetSettings> = {}) =>
  networkConfFromBytes(kubenetConfList({ ...SETTINGS, ...changes }));

describe('the configuration of kubenet', () => {
  test('configures a bridge with an address of each range, host ports and bandwidth', () => {
    const list = listOf();
    expect([list.name, list.plugins.map(({ type, capabilities }) => [type, ...capabilities])]).toEqual([
      'kubenet',
      [['bridge'], ['portmap', 'portMappings'], ['bandwidth', 'bandwidth']],
    ]);
    expect(list.plugins[0]?.config).toMatchObject({
      bridge: 'cbr0',
      mtu: 1450,
      ipam: {
        ranges: [[{ subnet: '10.244.1.0/24' }], [{ subnet: 'fd00:1::/64' }]],
        routes: [{ dst: '0.0.0.0/0' }, { dst: '::/0' }],
      },
    });
  });

  test('omits plugins that are not installed', () => {
    expect(listOf({ hasPlugin: (name) => name === 'portmap' }).plugins.map(({ type }) => type)).toEqual([
      'bridge',
      'portmap',
    ]);
  });

  test('reports the features that pods lack without a plugin', () => {
    expect(missingPlugins((name) => name === 'portmap')).toEqual([
      'the CNI plugin bandwidth is not installed: annotations do not limit the bandwidth of pods',
    ]);
    expect(missingPlugins(() => true)).toEqual([]);
  });

  test.each([
    ['hairpin-veth', true, false],
    ['promiscuous-bridge', false, true],
    ['none', false, false],
  ])('configures the bridge for hairpinMode %s', (hairpinMode, hairpin, promiscuous) => {
    const config = { hairpinMode: hairpin, promiscMode: promiscuous };
    expect(listOf({ hairpinMode }).plugins[0]?.config).toMatchObject(config);
  });
});

describe('the masquerading of kubenet', () => {
  const rules = (nonMasquerade: string) =>
    [...masqueradeTable(SETTINGS.podCIDRs, nonMasquerade).chains.values()].flatMap((chain) => chain.rules);

  test("excludes the range and the node's addresses", () => {
    expect(rules('10.0.0.0/8')).toEqual([
      'ip saddr 10.244.1.0/24 ip daddr != 10.0.0.0/8 fib daddr type != local masquerade',
    ]);
  });

  test('only covers the IP family of the range', () => {
    expect(rules('fd00::/8')).toEqual([
      'ip6 saddr fd00:1::/64 ip6 daddr != fd00::/8 fib daddr type != local masquerade',
    ]);
  });

  test('is empty with 0.0.0.0/0', () => expect(rules('0.0.0.0/0')).toEqual([]));
});

test.each([
  [9000, [], 9000],
  [
    0,
    [
      { name: 'lo', mtu: 65_536 },
      { name: 'eth0', mtu: 1500 },
      { name: 'wg0', mtu: 1420 },
    ],
    1420,
  ],
  [
    0,
    [
      { name: 'eth0', mtu: 1500 },
      { name: 'cbr0', mtu: 1300 },
      { name: 'veth1', mtu: 1300, master: 'cbr0' },
    ],
    1500,
  ],
  [0, [], 1460],
])('computes for MTU %j and interfaces %j the MTU of pods %j', (given, links, expected) => {
  expect(podMTU(given, links)).toBe(expected);
});
