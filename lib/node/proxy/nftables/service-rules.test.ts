import { expect, test } from 'vitest';
import type { Endpoint } from '../endpoint.ts';
import type { ServicePort } from '../service-port.ts';
import { anEndpoint, aServicePort, NODE } from '../testing/services.ts';
import { categorizeEndpoints } from '../topology.ts';
import { baseTable } from './base-rules.ts';
import { type RuleSettings, type ServiceRules, serviceRules } from './service-rules.ts';

const NOWHERE: RuleSettings = {
  family: 'IPv4',
  masqueradeAll: false,
  serviceCIDRs: ['10.96.0.0/12'],
  nodePortIPs: undefined,
  nodeIP: '192.0.2.1',
};
const SETTINGS: RuleSettings = {
  ...NOWHERE,
  localDetector: { isLocal: 'ip saddr 10.244.0.0/24', isNotLocal: 'ip saddr != 10.244.0.0/24' },
};
const LOCAL = { isLocal: true };

const rulesOf = (port: ServicePort, endpoints: readonly Endpoint[], settings = SETTINGS): ServiceRules =>
  serviceRules(port, categorizeEndpoints(endpoints, port, { node: NODE, zone: '' }), settings);

/** Removes hash and Service from chain names: `endpoint-…` becomes `endpoint`. */
const short = (text: string): string =>
  text.replaceAll(/(service|local|external|firewall|endpoint|affinity)-[A-Z2-7]{8}-\S*?(?=[ ,]|$)/g, '$1');
const elements = ({ mapElements }: ServiceRules): string[] =>
  mapElements.map(([map, key, verdict]) => short(`${map} ${key} : ${verdict}`));
const chain = ({ chains }: ServiceRules, prefix: string): readonly string[] | undefined =>
  [...chains].find(([name]) => name.startsWith(`${prefix}-`))?.[1].rules.map(short);

test.each<[string, ServicePort, readonly Endpoint[], string[]]>([
  ['ClusterIP', aServicePort(), [anEndpoint(1)], ['service-ips 10.96.0.5 . tcp . 80 : goto service']],
  ['no endpoints', aServicePort(), [], ['no-endpoint-services 10.96.0.5 . tcp . 80 : goto reject-chain']],
  ['UDP', aServicePort({ protocol: 'UDP' }), [anEndpoint(1)], ['service-ips 10.96.0.5 . udp . 80 : goto service']],
  [
    'internal policy Local',
    aServicePort({ internalPolicyLocal: true }),
    [anEndpoint(1, LOCAL)],
    ['service-ips 10.96.0.5 . tcp . 80 : goto local'],
  ],
  [
    'internal policy Local without local endpoints',
    aServicePort({ internalPolicyLocal: true }),
    [anEndpoint(1)],
    ['no-endpoint-services 10.96.0.5 . tcp . 80 : drop'],
  ],
  [
    'NodePort',
    aServicePort({ nodePort: 30080 }),
    [anEndpoint(1)],
    ['service-ips 10.96.0.5 . tcp . 80 : goto service', 'service-nodeports tcp . 30080 : goto external'],
  ],
  [
    'NodePort without endpoints',
    aServicePort({ nodePort: 30080 }),
    [],
    [
      'no-endpoint-services 10.96.0.5 . tcp . 80 : goto reject-chain',
      'no-endpoint-nodeports tcp . 30080 : goto reject-chain',
    ],
  ],
  [
    'external policy Local without local endpoints',
    aServicePort({ nodePort: 30080, externalPolicyLocal: true }),
    [anEndpoint(1)],
    [
      'service-ips 10.96.0.5 . tcp . 80 : goto service',
      'service-nodeports tcp . 30080 : goto external',
      'no-endpoint-nodeports tcp . 30080 : drop',
    ],
  ],
  [
    'external addresses',
    aServicePort({ externalIPs: ['1.2.3.4'] }),
    [anEndpoint(1)],
    ['service-ips 10.96.0.5 . tcp . 80 : goto service', 'service-ips 1.2.3.4 . tcp . 80 : goto external'],
  ],
  [
    'a load balancer with source ranges',
    aServicePort({ loadBalancerVIPs: ['5.6.7.8'], sourceRanges: ['10.0.0.0/8'] }),
    [anEndpoint(1)],
    [
      'service-ips 10.96.0.5 . tcp . 80 : goto service',
      'service-ips 5.6.7.8 . tcp . 80 : goto external',
      'firewall-ips 5.6.7.8 . tcp . 80 : goto firewall',
    ],
  ],
])('adds map elements for %s', (_, port, endpoints, expected) => {
  expect(elements(rulesOf(port, endpoints))).toEqual(expected);
});

test('sends a packet to a random endpoint', () => {
  expect(chain(rulesOf(aServicePort(), [anEndpoint(1), anEndpoint(2)]), 'service')).toEqual([
    'meta l4proto tcp dnat ip addr . port to numgen random mod 2 map { 0 : 10.244.0.1 . 8080, 1 : 10.244.0.2 . 8080 }',
  ]);
});

test('masquerades external packets with the policy Cluster', () => {
  expect(chain(rulesOf(aServicePort({ nodePort: 30080 }), [anEndpoint(1)]), 'external')).toEqual([
    'meta mark set meta mark or 0x00004000',
    'goto service',
  ]);
});

test('keeps the source of external packets with the policy Local and sends packets from the node and its pods anywhere', () => {
  const port = aServicePort({ nodePort: 30080, externalPolicyLocal: true });
  const rules = rulesOf(port, [anEndpoint(1, LOCAL), anEndpoint(2)]);
  const own = [
    'fib saddr type local meta mark set meta mark or 0x00004000',
    'fib saddr type local goto service',
    'goto local',
  ];
  expect(chain(rules, 'external')).toEqual(['ip saddr 10.244.0.0/24 goto service', ...own]);
  const unknown = rulesOf(port, [anEndpoint(1, LOCAL)], NOWHERE);
  expect(chain(unknown, 'external')).toEqual(own);
});

test('lets packets of the node return to the load balancer if the source ranges include the node', () => {
  const port = aServicePort({ loadBalancerVIPs: ['5.6.7.8'], sourceRanges: ['192.0.2.0/24'] });
  expect(chain(rulesOf(port, [anEndpoint(1)]), 'firewall')).toEqual(['ip saddr != { 192.0.2.0/24, 5.6.7.8 } drop']);
  const other = { ...port, sourceRanges: ['10.0.0.0/8'] };
  expect(chain(rulesOf(other, [anEndpoint(1)]), 'firewall')).toEqual(['ip saddr != { 10.0.0.0/8 } drop']);
});

test('sends a client to its previous endpoint with affinity', () => {
  const rules = rulesOf(aServicePort({ stickySeconds: 60 }), [anEndpoint(1), anEndpoint(2)]);
  expect(chain(rules, 'service')).toEqual([
    'ip saddr @affinity goto endpoint',
    'ip saddr @affinity goto endpoint',
    'numgen random mod 2 vmap { 0 : goto endpoint, 1 : goto endpoint }',
  ]);
  expect(chain(rules, 'endpoint')).toEqual([
    'update @affinity { ip saddr }',
    'meta l4proto tcp dnat to 10.244.0.1:8080',
  ]);
  expect([...rules.sets.values()]).toMatchObject([{ timeout: 60 }, { timeout: 60 }]);
});

test('uses new affinity sets for another timeout', () => {
  const names = [60, 61].map((stickySeconds) => [
    ...rulesOf(aServicePort({ stickySeconds }), [anEndpoint(1)]).sets.keys(),
  ]);
  expect(names[0]).not.toEqual(names[1]);
});

test('lets only local endpoints reach themselves via the Service', () => {
  expect(rulesOf(aServicePort(), [anEndpoint(1, LOCAL), anEndpoint(2)]).setElements).toEqual([
    ['cluster-ips', '10.96.0.5'],
    ['hairpin-connections', '10.244.0.1 . 10.244.0.1 . tcp . 8080'],
  ]);
});

test('uses IPv6 keywords in rules for IPv6', () => {
  const port = aServicePort({ clusterIP: 'fd00::5', stickySeconds: 60 });
  const endpoint = anEndpoint(1, { ip: 'fd01::1', text: '[fd01::1]:8080' });
  const rules = rulesOf(port, [endpoint], { ...NOWHERE, family: 'IPv6' });
  expect(elements(rules)).toEqual(['service-ips fd00::5 . tcp . 80 : goto service']);
  expect(chain(rules, 'endpoint')).toEqual([
    'update @affinity { ip6 saddr }',
    'meta l4proto tcp dnat to [fd01::1]:8080',
  ]);
  expect([...rules.sets.values()]).toMatchObject([{ type: 'ipv6_addr' }]);
});

test.each<[string, RuleSettings, string[]]>([
  ['of others', SETTINGS, ['ip daddr @cluster-ips ip saddr != 10.244.0.0/24 meta mark set meta mark or 0x00004000']],
  ['of all', { ...SETTINGS, masqueradeAll: true }, ['ip daddr @cluster-ips meta mark set meta mark or 0x00004000']],
  ['of nobody', NOWHERE, []],
])('masquerades packets %s to ClusterIPs', (_, settings, expected) => {
  const { chains } = baseTable(settings, { maps: new Map(), sets: new Map() });
  expect(chains.get('services')?.rules.filter((rule) => rule.includes('@cluster-ips'))).toEqual(expected);
});
