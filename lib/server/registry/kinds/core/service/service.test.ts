import { describe, expect, test } from 'vitest';
import { SERVICES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { created, refusals, updated, updateRefusals } from '../../proof/strategy-proof.conformance.ts';
import { allocationRequest, change, held, shareNodePorts } from './allocation.ts';
import { type IPFamily, initIPFamilies } from './ip-families.ts';

const service = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 's', namespace: 'default' },
  spec: { ports: [{ name: 'a', port: 80 }], ...spec },
});
const held10 = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };

test('sets the defaults of a service', () => {
  expect(created(SERVICES, service({ type: 'LoadBalancer' }))['spec']).toEqual({
    type: 'LoadBalancer',
    ports: [{ name: 'a', port: 80, protocol: 'TCP', targetPort: 80 }],
    sessionAffinity: 'None',
    externalTrafficPolicy: 'Cluster',
    internalTrafficPolicy: 'Cluster',
    allocateLoadBalancerNodePorts: true,
  });
});

test.each<[string, JsonObject, string[]]>([
  ['no ports', { ports: [] }, ['spec.ports: Required value']],
  [
    'a node port and type ClusterIP',
    { ports: [{ port: 80, nodePort: 30000 }] },
    ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
  ],
  [
    'node ports but no cluster IP',
    { type: 'NodePort', clusterIP: 'None' },
    ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
  ],
  [
    'two addresses of one family',
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] },
    ['spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family'],
  ],
  ['type ExternalName but no name', { type: 'ExternalName', ports: [] }, ['spec.externalName: Required value']],
  [
    'a session affinity of one week',
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 604800 } } },
    [
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 604800: must be greater than 0 and less than 86400',
    ],
  ],
  [
    'source ranges and type ClusterIP',
    { loadBalancerSourceRanges: ['10.0.0.0/8'] },
    ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
  ],
])('rejects a service with %s', (_name, spec, want) => {
  expect(refusals(SERVICES, service(spec))).toEqual(want);
});

describe('updates of a service', () => {
  test('keeps allocated values that the client omits', () => {
    const old = created(
      SERVICES,
      service({ ...held10, type: 'NodePort', ports: [{ name: 'a', port: 80, nodePort: 30001 }] }),
    );
    const next = updated(SERVICES, service({ type: 'NodePort' }), old);
    expect(next['spec']).toMatchObject({
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      ports: [{ nodePort: 30001 }],
    });
  });

  test('drops fields that the new type does not support', () => {
    const old = created(
      SERVICES,
      service({ ...held10, type: 'NodePort', ports: [{ name: 'a', port: 80, nodePort: 30001 }] }),
    );
    const alias = updated(SERVICES, service({ ...held10, type: 'ExternalName', externalName: 'a.b' }), old);
    expect(alias['spec']).not.toHaveProperty('clusterIP');
    expect(alias['spec']).not.toHaveProperty('ipFamilies');
    const inside = updated(
      SERVICES,
      service({ ...held10, type: 'ClusterIP', ports: [{ name: 'a', port: 80, nodePort: 30001 }] }),
      old,
    );
    expect(inside['spec']).toMatchObject({ ports: [{ name: 'a', port: 80, protocol: 'TCP', targetPort: 80 }] });
    expect(change(inside, old)).toEqual({
      claim: { clusterIPs: [], nodePorts: [] },
      release: { clusterIPs: [], nodePorts: [30001] },
    });
  });

  test('drops internalTrafficPolicy from an ExternalName service', () => {
    const old = created(SERVICES, service(held10));
    expect(old['spec']).toHaveProperty('internalTrafficPolicy', 'Cluster');
    const alias = { ...held10, type: 'ExternalName', externalName: 'a.b', internalTrafficPolicy: 'Cluster' };
    expect(updated(SERVICES, service(alias), old)['spec']).not.toHaveProperty('internalTrafficPolicy');
    expect(created(SERVICES, service(alias))['spec']).not.toHaveProperty('internalTrafficPolicy');
    expect(refusals(SERVICES, service({ ...alias, internalTrafficPolicy: 'Other' })).join()).toContain(
      'spec.internalTrafficPolicy: Unsupported value: "Other"',
    );
  });

  test('rejects a changed address', () => {
    const next = service({ ...held10, clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] });
    expect(updateRefusals(SERVICES, next, service(held10))).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    ]);
  });
});

describe('allocation for a service', () => {
  test.each<[string, JsonObject, IPFamily[], JsonObject]>([
    ['a single-stack service', {}, ['IPv4'], { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }],
    [
      'a PreferDualStack service in a dual-stack cluster',
      { ipFamilyPolicy: 'PreferDualStack' },
      ['IPv6', 'IPv4'],
      { ipFamilies: ['IPv6', 'IPv4'] },
    ],
    [
      'a PreferDualStack service in a single-stack cluster',
      { ipFamilyPolicy: 'PreferDualStack' },
      ['IPv4'],
      { ipFamilies: ['IPv4'] },
    ],
    [
      'a service with an IPv6 address',
      { clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] },
      ['IPv4', 'IPv6'],
      { ipFamilies: ['IPv6'] },
    ],
    [
      'a headless service without a selector',
      { clusterIP: 'None', clusterIPs: ['None'] },
      ['IPv4'],
      { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    ],
  ])('initializes the IP families of %s', (_name, spec, families, want) => {
    const object = created(SERVICES, service({ selector: {}, ...spec }));
    expect(initIPFamilies(object, undefined, families)).toEqual([]);
    expect(object['spec']).toMatchObject(want);
  });

  test('rejects a family that the cluster does not have', () => {
    const errors = initIPFamilies(created(SERVICES, service({ ipFamilies: ['IPv6'] })), undefined, ['IPv4']);
    expect(errors.map(errorText)).toEqual([
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ]);
  });

  test('requests missing values, and one node port per port number', () => {
    const object = created(
      SERVICES,
      service({
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        ports: [
          { name: 't', port: 53 },
          { name: 'u', port: 53, protocol: 'UDP' },
          { name: 'x', port: 80, nodePort: 30080 },
          { name: 'y', port: 80, protocol: 'UDP' },
        ],
      }),
    );
    initIPFamilies(object, undefined, ['IPv4']);
    shareNodePorts(object);
    expect(allocationRequest(object)).toEqual({
      clusterIPs: [{ index: 0, family: 'IPv4' }],
      nodePorts: [[0, 1]],
      healthCheckNodePort: true,
    });
    expect(held(object)).toEqual({ clusterIPs: [], nodePorts: [30080] });
  });
});
