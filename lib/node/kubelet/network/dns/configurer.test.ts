import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { podOf } from '../../testing/decoded-pod.ts';
import { DNSConfigurer, type DNSSettings } from './configurer.ts';
import { parseResolvConf } from './resolv-conf.ts';

const node = decodedAs(NODES, { metadata: { name: 'n1' } });

interface Told {
  readonly about: string;
  readonly reason: string;
  readonly message: string;
}

function configurer(settings: Partial<DNSSettings>, resolvConf: string) {
  const told: Told[] = [];
  const all = {
    node,
    nodeIPs: [],
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    resolverConfig: '/resolv',
  };
  const dns = new DNSConfigurer(
    { ...all, ...settings },
    {
      recorder: {
        event: (about, _, reason, message) => told.push({ about: about.metadata?.name ?? '', reason, message }),
      },
      read: async (path) => {
        if (path !== '/resolv') throw new Error(`open ${path}: no such file or directory`);
        return resolvConf;
      },
    },
  );
  return { dns, told };
}

const HOST = 'nameserver 1.1.1.1\nsearch host.example\noptions timeout:1\n';
const CLUSTER = ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'];
const ofHost = { servers: ['1.1.1.1'], searches: ['host.example'], options: ['timeout:1'] };
const ofCluster = { servers: ['10.96.0.10'], searches: [...CLUSTER, 'host.example'], options: ['ndots:5'] };
const nothing = { servers: [], searches: [], options: [] };

test.each<[JsonObject, Partial<DNSSettings>, object]>([
  [{ dnsPolicy: 'ClusterFirst' }, {}, ofCluster],
  [{ dnsPolicy: 'ClusterFirst', hostNetwork: true }, {}, ofHost],
  [{ dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true }, {}, ofCluster],
  [{ dnsPolicy: 'Default' }, {}, ofHost],
  [{ dnsPolicy: 'None' }, {}, nothing],
  [{ dnsPolicy: 'Odd' }, {}, ofCluster],
  [{ dnsPolicy: 'ClusterFirst' }, { clusterDomain: '' }, { ...ofCluster, searches: ['host.example'] }],
  [
    { dnsPolicy: 'ClusterFirst' },
    { clusterDomain: 'host.example' },
    { ...ofCluster, searches: ['shop.svc.host.example', 'svc.host.example', 'host.example'] },
  ],
  [{ dnsPolicy: 'ClusterFirst' }, { resolverConfig: '' }, { ...ofCluster, searches: CLUSTER }],
  [{ dnsPolicy: 'Default' }, { resolverConfig: '' }, { servers: ['127.0.0.1'], searches: ['.'], options: [] }],
  [
    { dnsPolicy: 'Default' },
    { resolverConfig: '', nodeIPs: ['2001:db8::1', '192.0.2.1'] },
    { servers: ['::1', '127.0.0.1'], searches: ['.'], options: [] },
  ],
  [
    {
      dnsPolicy: 'ClusterFirst',
      dnsConfig: {
        nameservers: ['9.9.9.9', '10.96.0.10'],
        searches: ['own.example', 'cluster.local'],
        options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
      },
    },
    {},
    {
      servers: ['10.96.0.10', '9.9.9.9'],
      searches: [...CLUSTER, 'host.example', 'own.example'],
      options: ['ndots:2', 'edns0'],
    },
  ],
  [{ dnsPolicy: 'None', dnsConfig: { nameservers: ['9.9.9.9'] } }, {}, { ...nothing, servers: ['9.9.9.9'] }],
])('computes the DNS settings of a pod with %j and %j', async (spec, settings, expected) => {
  const { dns, told } = configurer(settings, HOST);
  expect(await dns.podDNS(podOf(spec))).toEqual(expected);
  expect(told).toEqual([]);
});

test("falls back to the host's DNS in a cluster without DNS and records that", async () => {
  const { dns, told } = configurer({ clusterDNS: [] }, HOST);
  expect(await dns.podDNS(podOf({ dnsPolicy: 'ClusterFirst' }))).toEqual(ofHost);
  const message =
    'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
  expect(told).toEqual([
    { about: 'n1', reason: 'MissingClusterDNS', message },
    { about: 'web', reason: 'MissingClusterDNS', message: `pod: "web_shop(u-1)". ${message}` },
  ]);
});

describe('limits of resolv.conf', () => {
  test('truncates the list of servers', async () => {
    const servers = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'];
    const { dns, told } = configurer({}, servers.map((ip) => `nameserver ${ip}\n`).join(''));
    expect((await dns.podDNS(podOf({ dnsPolicy: 'Default' }))).servers).toEqual(servers.slice(0, 3));
    const message =
      'Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 1.1.1.1 2.2.2.2 3.3.3.3';
    expect(told).toEqual([{ about: 'web', reason: 'DNSConfigForming', message }]);
  });

  test.each([
    ['of the number of domains', Array.from({ length: 40 }, (_, i) => `d${i}`), 32],
    ['of the total length', Array.from({ length: 20 }, () => 'x'.repeat(150)), 13],
    ['of the length of a domain', ['x'.repeat(254), 'y'.repeat(253)], 1],
  ])('truncates the search list to the limit %s', async (_, searches, left) => {
    const { dns, told } = configurer({}, `search ${searches.join(' ')}\n`);
    const { searches: applied } = await dns.podDNS(podOf({ dnsPolicy: 'Default' }));
    expect(applied).toHaveLength(left);
    const message = `Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${applied.join(' ')}`;
    expect(told).toEqual([{ about: 'web', reason: 'DNSConfigForming', message }]);
  });

  test('keeps a search list that just fits', async () => {
    const { dns, told } = configurer(
      {},
      `search ${['x'.repeat(253), ...Array.from({ length: 8 }, () => 'y'.repeat(222))].join(' ')}\n`,
    );
    expect((await dns.podDNS(podOf({ dnsPolicy: 'Default' }))).searches).toHaveLength(9);
    expect(told).toEqual([]);
  });
});

test.each([['nameserver\n', 'Encountered error while parsing resolv conf file. Error: nameserver list is empty ']])(
  'rejects the resolv.conf %j',
  async (text, message) => {
    await expect(configurer({}, text).dns.podDNS(podOf({}))).rejects.toThrow(message);
  },
);

test('rejects an unreadable resolv.conf', async () => {
  const { dns } = configurer({ resolverConfig: '/none' }, '');
  await expect(dns.podDNS(podOf({}))).rejects.toThrow('open /none: no such file or directory');
});

const domains = (count: number, length = 3): string =>
  `search ${Array.from({ length: count }, (_, i) => String(i).padEnd(length, 'x')).join(' ')}`;

test.each<[string, Partial<DNSSettings>, string | undefined]>([
  [domains(29), {}, undefined],
  [domains(30), {}, "Resolv.conf file '/resolv' contains search line consisting of more than 29 domains!"],
  [domains(32), { clusterDomain: '' }, undefined],
  [
    domains(33),
    { clusterDomain: '' },
    "Resolv.conf file '/resolv' contains search line consisting of more than 32 domains!",
  ],
  [
    domains(2, 254),
    {},
    'Resolv.conf file "/resolv" contains a search path which length is more than allowed 253 chars!',
  ],
  [
    domains(20, 150),
    {},
    "Resolv.conf file '/resolv' contains search line which length is more than allowed 2048 chars!",
  ],
  ['', { resolverConfig: '/none' }, 'open /none: no such file or directory'],
])("checks the limits of the host's resolv.conf, case %#", async (text, settings, message) => {
  const { dns, told } = configurer(settings, text);
  await dns.checkLimitsForResolvConf();
  expect(told).toEqual(message === undefined ? [] : [{ about: 'n1', reason: 'CheckLimitsForResolvConf', message }]);
});

test.each<[string, object]>([
  ['', nothing],
  [' ', nothing],
  ['\n\n# comment\n  # another', nothing],
  ['nameserver 1.2.3.4', { ...nothing, servers: ['1.2.3.4'] }],
  [' nameserver \t 1.2.3.4 ignored', { ...nothing, servers: ['1.2.3.4'] }],
  ['nameserver 1.2.3.4\nnameserver 5.6.7.8', { ...nothing, servers: ['1.2.3.4', '5.6.7.8'] }],
  ['search foo. bar', { ...nothing, searches: ['foo', 'bar'] }],
  ['search foo\nsearch bar .', { ...nothing, searches: ['bar'] }],
  ['search', nothing],
  ['options ndots:5 attempts:2\noptions ndots:1 ndots:3', { ...nothing, options: ['ndots:3', 'attempts:2'] }],
  ['domain x\nunknown y', nothing],
])('parses the settings in %j', (text, expected) => {
  expect(parseResolvConf(text)).toEqual(expected);
});
