import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { service } from './service.ts';

const cellsOf = (spec: JsonObject, ingress: JsonObject[] = []) =>
  service.cells({ metadata: { name: 's' }, spec, status: { loadBalancer: { ingress } } }, new Date(0));

test.each<[string, JsonObject, JsonObject[], string]>([
  ['a ClusterIP service', { type: 'ClusterIP' }, [], '<none>'],
  [
    'a service with external IPs',
    { type: 'NodePort', externalIPs: ['192.0.2.1', '192.0.2.2'] },
    [],
    '192.0.2.1,192.0.2.2',
  ],
  ['a pending load balancer', { type: 'LoadBalancer' }, [], '<pending>'],
  [
    'a load balancer',
    { type: 'LoadBalancer' },
    [{ hostname: 'a-long-name.example.com' }, { ip: '192.0.2.1' }, { ip: '192.0.2.1' }, {}],
    '192.0.2.1,a-long-name.example.com',
  ],
  [
    'a load balancer with an external IP',
    { type: 'LoadBalancer', externalIPs: ['192.0.2.9'] },
    [{ ip: '192.0.2.1' }],
    '192.0.2.1,192.0.2.9',
  ],
  [
    'a pending load balancer with an external IP',
    { type: 'LoadBalancer', externalIPs: ['192.0.2.9'] },
    [],
    '192.0.2.9',
  ],
  ['an ExternalName service', { type: 'ExternalName', externalName: 'example.com' }, [], 'example.com'],
  ['an unknown service type', { type: 'Other' }, [], '<unknown>'],
])('shows the external address of %s', (_, spec, ingress, address) => expect(cellsOf(spec, ingress)[3]).toBe(address));

test.each<[JsonObject[], string]>([
  [[], '<none>'],
  [[{ port: 80, protocol: 'TCP' }], '80/TCP'],
  [
    [
      { port: 80, protocol: 'TCP', nodePort: 30080 },
      { port: 53, protocol: 'UDP' },
    ],
    '80:30080/TCP,53/UDP',
  ],
])('shows the ports %j as %s', (ports, text) => expect(cellsOf({ ports })[4]).toBe(text));

test('shows internal addresses and the selector', () => {
  expect(cellsOf({ clusterIPs: ['10.0.0.1', 'fd00::1'], selector: { b: '1', a: '2' } })[2]).toBe('10.0.0.1');
  expect(cellsOf({})[2]).toBe('<none>');
  expect(cellsOf({ selector: { a: '1', 'a-b': '2' } })[6]).toBe('a-b=2,a=1');
});
