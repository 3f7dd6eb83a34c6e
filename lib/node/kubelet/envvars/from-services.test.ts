import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { SERVICES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { podOf } from '../testing/decoded-pod.ts';
import { serviceVariables } from './from-services.ts';

const service = (name: string, spec: JsonObject, namespace = 'shop') =>
  decodedAs(SERVICES, { metadata: { name, namespace }, spec });
const ports = [{ port: 8080, protocol: 'TCP' }];

const variables = (enableServiceLinks: boolean, ...services: ReturnType<typeof service>[]) =>
  Object.fromEntries(serviceVariables(podOf({ enableServiceLinks }), services));

test('sets the host, ports and Docker link variables of a service', () => {
  const q = [
    { name: 'u-d-p', port: 8082, protocol: 'UDP' },
    { name: 't', port: 8083 },
  ];
  expect(variables(true, service('abc-123', { clusterIP: '1.2.3.4', ports: q }))).toEqual({
    ABC_123_SERVICE_HOST: '1.2.3.4',
    ABC_123_SERVICE_PORT: '8082',
    ABC_123_SERVICE_PORT_U_D_P: '8082',
    ABC_123_SERVICE_PORT_T: '8083',
    ABC_123_PORT: 'udp://1.2.3.4:8082',
    ABC_123_PORT_8082_UDP: 'udp://1.2.3.4:8082',
    ABC_123_PORT_8082_UDP_PROTO: 'udp',
    ABC_123_PORT_8082_UDP_PORT: '8082',
    ABC_123_PORT_8082_UDP_ADDR: '1.2.3.4',
    ABC_123_PORT_8083_TCP: 'tcp://1.2.3.4:8083',
    ABC_123_PORT_8083_TCP_PROTO: 'tcp',
    ABC_123_PORT_8083_TCP_PORT: '8083',
    ABC_123_PORT_8083_TCP_ADDR: '1.2.3.4',
  });
});

test('encloses IPv6 addresses in brackets only in URLs', () => {
  expect(variables(true, service('v6', { clusterIP: '2001:DB8::', ports }))).toMatchObject({
    V6_SERVICE_HOST: '2001:DB8::',
    V6_PORT: 'tcp://[2001:DB8::]:8080',
    V6_PORT_8080_TCP_ADDR: '2001:DB8::',
  });
});

test('sets no variables for services without an address', () => {
  const none = [service('a', { clusterIP: 'None', ports }), service('b', { clusterIP: '', ports })];
  expect(variables(true, ...none)).toEqual({});
});

const api = service('kubernetes', { clusterIP: '10.96.0.1', ports }, 'default');
const own = service('db', { clusterIP: '10.96.0.2', ports });
const other = service('far', { clusterIP: '10.96.0.3', ports }, 'elsewhere');

test.each([
  [true, ['DB_SERVICE_HOST', 'KUBERNETES_SERVICE_HOST']],
  [false, ['KUBERNETES_SERVICE_HOST']],
])('sets with enableServiceLinks %j the host variables %j', (links, hosts) => {
  const names = Object.keys(variables(links, api, own, other));
  expect(names.filter((name) => name.endsWith('_SERVICE_HOST'))).toEqual(hosts);
});

test("prefers a service named kubernetes in the pod's own namespace", () => {
  const mine = service('kubernetes', { clusterIP: '10.96.0.9', ports });
  expect(variables(true, mine, api)).toMatchObject({ KUBERNETES_SERVICE_HOST: '10.96.0.9' });
  expect(variables(false, mine, api)).toMatchObject({ KUBERNETES_SERVICE_HOST: '10.96.0.1' });
});
