import { expect, test } from 'vitest';
import type { Service } from '#lib/api/types/core.v1.ts';
import { type ServicePort, servicePortsOf } from './service-port.ts';
import { aPortSpec, aService } from './testing/services.ts';

const portsOf = (service: Service): readonly ServicePort[] => [...servicePortsOf(service, 'IPv4').values()];

test.each<[string, Service]>([
  ['a headless Service', aService({ clusterIP: 'None', clusterIPs: ['None'] })],
  ['a Service without an address yet', aService({ clusterIP: '', clusterIPs: [] })],
  ['an ExternalName Service', aService({ type: 'ExternalName' })],
  ['a Service of IPv6 alone', aService({ clusterIP: 'fd00::5', clusterIPs: ['fd00::5'], ipFamilies: ['IPv6'] })],
  ['an address that is none', aService({ clusterIP: '10.96.0.5; drop', clusterIPs: ['10.96.0.5; drop'] })],
  ['a protocol that no node forwards', aService({ ports: [aPortSpec({ protocol: 'ICMP' })] })],
  ['a port that is none', aService({ ports: [aPortSpec({ port: 70_000 })] })],
])('%s has no ports on a node', (_, service) => {
  expect(portsOf(service)).toEqual([]);
});

test('ignores a Service that another proxy handles', () => {
  const service = aService();
  const labels = { 'service.kubernetes.io/service-proxy-name': 'mine' };
  expect(portsOf({ ...service, metadata: { ...service.metadata, labels } })).toEqual([]);
});

test('uses the address of each family of a dual-stack Service', () => {
  const service = aService({ clusterIPs: ['10.96.0.5', 'fd00:0::5'], ipFamilies: ['IPv4', 'IPv6'] });
  const six = [...servicePortsOf(service, 'IPv6').values()];
  expect([portsOf(service)[0]?.clusterIP, six[0]?.clusterIP]).toEqual(['10.96.0.5', 'fd00::5']);
});

test('uses the ClusterIP of a Service without families from an old server', () => {
  expect(portsOf(aService({ ipFamilies: [], clusterIPs: [] }))[0]?.clusterIP).toBe('10.96.0.5');
});

test('gives ports their own names, protocols and keys', () => {
  const ports = [
    aPortSpec({ name: 'a' }),
    aPortSpec({ name: 'a', protocol: 'UDP' }),
    aPortSpec({ name: 'b', port: 81 }),
  ];
  expect([...servicePortsOf(aService({ ports }), 'IPv4').keys()]).toEqual([
    'default/web:a:TCP',
    'default/web:a:UDP',
    'default/web:b:TCP',
  ]);
});

const CLIENT_IP = { sessionAffinity: 'ClientIP' };

test.each<[string, Service, Partial<ServicePort>]>([
  ['no affinity', aService({ sessionAffinity: 'None' }), {}],
  ['affinity for three hours', aService(CLIENT_IP), { stickySeconds: 10_800 }],
  [
    'affinity for a time',
    aService({ ...CLIENT_IP, sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }),
    { stickySeconds: 60 },
  ],
  [
    'external addresses of the family',
    aService({ externalIPs: ['1.2.3.4', 'fd00::1', 'x'] }),
    { externalIPs: ['1.2.3.4'] },
  ],
  ['ingress addresses', aService({}, 'web', ['5.6.7.8', 'fd00::1', '']), { loadBalancerVIPs: ['5.6.7.8'] }],
  [
    'source ranges',
    aService({ loadBalancerSourceRanges: [' 10.1.2.3/16', 'fd00::/8'] }),
    { sourceRanges: ['10.1.0.0/16'] },
  ],
  [
    'a range of all addresses',
    aService({ loadBalancerSourceRanges: ['10.0.0.0/8', '0.0.0.0/0'] }),
    { sourceRanges: [] },
  ],
  ['internal policy Local', aService({ internalTrafficPolicy: 'Local' }), { internalPolicyLocal: true }],
  [
    'external policy Local of a NodePort',
    aService({ type: 'NodePort', externalTrafficPolicy: 'Local' }),
    { externalPolicyLocal: true },
  ],
  [
    'external policy Local of a ClusterIP',
    aService({ externalTrafficPolicy: 'Local' }),
    { externalPolicyLocal: false },
  ],
  [
    'a health check of a local load balancer',
    aService({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 }),
    { healthCheckNodePort: 31000 },
  ],
  [
    'no health check of a NodePort',
    aService({ type: 'NodePort', externalTrafficPolicy: 'Local', healthCheckNodePort: 31000 }),
    { healthCheckNodePort: 0 },
  ],
  ['a node port', aService({ type: 'NodePort', ports: [aPortSpec({ nodePort: 30080 })] }), { nodePort: 30080 }],
])('a Service has %s', (_, service, expected) => {
  expect(portsOf(service)[0]).toMatchObject(expected);
});

test('ignores the ingress addresses of load balancers in proxy mode', () => {
  const service = aService();
  const status = { loadBalancer: { ingress: [{ ip: '5.6.7.8', ipMode: 'Proxy' }] } };
  expect(portsOf({ ...service, status })[0]?.loadBalancerVIPs).toEqual([]);
});
