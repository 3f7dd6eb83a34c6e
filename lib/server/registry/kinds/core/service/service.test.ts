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

test('defaults', () => {
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
    'node port of a cluster service',
    { ports: [{ port: 80, nodePort: 30000 }] },
    ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
  ],
  [
    'headless node ports',
    { type: 'NodePort', clusterIP: 'None' },
    ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
  ],
  [
    'two addresses of a family',
    { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] },
    ['spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family'],
  ],
  ['alias without a name', { type: 'ExternalName', ports: [] }, ['spec.externalName: Required value']],
  [
    'affinity for a week',
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 604800 } } },
    [
      'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 604800: must be greater than 0 and less than 86400',
    ],
  ],
  [
    'ranges of a cluster service',
    { loadBalancerSourceRanges: ['10.0.0.0/8'] },
    ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
  ],
])('refused: %s', (_name, spec, want) => {
  expect(refusals(SERVICES, service(spec))).toEqual(want);
});

describe('updates', () => {
  test('what was allocated stays where the client leaves it out', () => {
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

  test('a new type drops what it cannot have', () => {
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

  test('a service that becomes an alias shows no internalTrafficPolicy', () => {
    const old = created(SERVICES, service(held10));
    expect(old['spec']).toHaveProperty('internalTrafficPolicy', 'Cluster');
    const alias = { ...held10, type: 'ExternalName', externalName: 'a.b', internalTrafficPolicy: 'Cluster' };
    expect(updated(SERVICES, service(alias), old)['spec']).not.toHaveProperty('internalTrafficPolicy');
    expect(created(SERVICES, service(alias))['spec']).not.toHaveProperty('internalTrafficPolicy');
    expect(refusals(SERVICES, service({ ...alias, internalTrafficPolicy: 'Other' })).join()).toContain(
      'spec.internalTrafficPolicy: Unsupported value: "Other"',
    );
  });

  test('an address does not change', () => {
    const next = service({ ...held10, clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] });
    expect(updateRefusals(SERVICES, next, service(held10))).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    ]);
  });
});

describe('allocation', () => {
  test.each<[string, JsonObject, IPFamily[], JsonObject]>([
    ['one family', {}, ['IPv4'], { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }],
    ['both where preferred', { ipFamilyPolicy: 'PreferDualStack' }, ['IPv6', 'IPv4'], { ipFamilies: ['IPv6', 'IPv4'] }],
    ['one where preferred', { ipFamilyPolicy: 'PreferDualStack' }, ['IPv4'], { ipFamilies: ['IPv4'] }],
    ['by address', { clusterIP: 'fd00::1', clusterIPs: ['fd00::1'] }, ['IPv4', 'IPv6'], { ipFamilies: ['IPv6'] }],
    [
      'headless without selector',
      { clusterIP: 'None', clusterIPs: ['None'] },
      ['IPv4'],
      { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    ],
  ])('families: %s', (_name, spec, families, want) => {
    const object = created(SERVICES, service({ selector: {}, ...spec }));
    expect(initIPFamilies(object, undefined, families)).toEqual([]);
    expect(object['spec']).toMatchObject(want);
  });

  test('a family that the cluster does not have', () => {
    const errors = initIPFamilies(created(SERVICES, service({ ipFamilies: ['IPv6'] })), undefined, ['IPv4']);
    expect(errors.map(errorText)).toEqual([
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ]);
  });

  test('what is missing, and what is shared', () => {
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
