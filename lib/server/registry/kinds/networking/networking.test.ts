import { expect, test } from 'vitest';
import { INGRESS_CLASSES, INGRESSES, IP_ADDRESSES, NETWORK_POLICIES, SERVICE_CIDRS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { created, refusals, updateRefusals } from '../proof/strategy-proof.conformance.ts';
import { ipAddressStrategy } from './ip-address.ts';

const policy = (peer: JsonObject): JsonObject => ({ spec: { podSelector: {}, egress: [{ to: [peer] }] } });
const cidrs = (...list: string[]): JsonObject => ({ spec: { cidrs: list } });
const parent = (rest: JsonObject = {}): JsonObject => ({
  spec: { parentRef: { resource: 'services', namespace: 'a', name: 'b', ...rest } },
});

test('applies a policy with egress rules to both directions by default', () => {
  expect(created(NETWORK_POLICIES, policy({ podSelector: {} }))).toMatchObject({
    spec: { policyTypes: ['Ingress', 'Egress'] },
  });
});

test.each<[string, GroupVersionResource, JsonObject, string[]]>([
  [
    'network policy with an exception outside of its block',
    NETWORK_POLICIES,
    policy({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }),
    ['spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`'],
  ],
  [
    'network policy with an exception as large as its block',
    NETWORK_POLICIES,
    policy({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }),
    ['spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`'],
  ],
  [
    'network policy with a block and a selector in one peer',
    NETWORK_POLICIES,
    policy({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
    ['spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer'],
  ],
  [
    'ingress with an IP address as host',
    INGRESSES,
    { spec: { rules: [{ host: '1.2.3.4' }] } },
    ['spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
  ],
  [
    'ingress class with namespaced parameters but no namespace',
    INGRESS_CLASSES,
    { spec: { controller: 'a.io/b', parameters: { kind: 'K', name: 'n', scope: 'Namespace' } } },
    ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
  ],
  ['IP address without a parent', IP_ADDRESSES, { spec: {} }, ['spec.parentRef: Required value']],
  ['service CIDR without networks', SERVICE_CIDRS, cidrs(), ['spec.cidrs: Required value: at least one CIDR required']],
  [
    'service CIDR with two networks of one family',
    SERVICE_CIDRS,
    cidrs('10.0.0.0/8', '11.0.0.0/8'),
    [
      'spec.cidrs: Invalid value: ["10.0.0.0/8","11.0.0.0/8"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
  ],
])('rejects a new %s', (_name, resource, object, want) => {
  expect(refusals(resource, object)).toEqual(want);
});

test.each<[string, GroupVersionResource, JsonObject, JsonObject, string, string[]]>([
  [
    'a removed network',
    SERVICE_CIDRS,
    cidrs('10.0.0.0/8'),
    cidrs('10.0.0.0/8', 'fd00::/8'),
    '',
    ['spec.cidrs: Invalid value: ["10.0.0.0/8"]: field is immutable'],
  ],
  ['an added network of another family', SERVICE_CIDRS, cidrs('10.0.0.0/8', 'fd00::/8'), cidrs('10.0.0.0/8'), '', []],
  [
    'another parent',
    IP_ADDRESSES,
    parent({ name: 'c' }),
    parent(),
    '',
    [
      'spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"a","Name":"c"}: field is immutable',
    ],
  ],
  [
    'another controller',
    INGRESS_CLASSES,
    { spec: { controller: 'a.io/b' } },
    { spec: { controller: 'a.io/c' } },
    '',
    ['spec.controller: Invalid value: "a.io/b": field is immutable'],
  ],
  [
    'an unchanged network that is not canonical',
    NETWORK_POLICIES,
    policy({ ipBlock: { cidr: '10.0.0.1/8' } }),
    policy({ ipBlock: { cidr: '10.0.0.1/8' } }),
    '',
    [],
  ],
  [
    "an IP address as a load balancer's host name",
    INGRESSES,
    { status: { loadBalancer: { ingress: [{ hostname: '1.2.3.4' }] } } },
    {},
    'status',
    ['status.loadBalancer.ingress[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
  ],
])('validates an update with %s', (_name, resource, object, old, subresource, want) => {
  expect(updateRefusals(resource, object, old, subresource)).toEqual(want);
});

test('requires canonical names of IP addresses', () => {
  expect(ipAddressStrategy.validateName?.('10.0.0.1', false)).toEqual([]);
  expect(ipAddressStrategy.validateName?.('fd00::0001', false)).toEqual(['must be in canonical form ("fd00::1")']);
});
