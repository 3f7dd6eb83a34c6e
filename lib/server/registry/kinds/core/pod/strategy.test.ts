import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { ContainerStatus, EphemeralContainer, Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import { aContainer, aPod, updateErrors } from './builders.ts';
import { podStrategy } from './strategy.ts';

const CONTEXT = aRequestContext({}, { now: new Date('2030-01-02T03:04:05.678Z') });

function created(spec: JsonObject = {}, metadata: JsonObject = {}): Pod {
  const pod = aPod(spec, metadata);
  pod.metadata.generation = 1;
  podStrategy.prepareForCreate?.(pod, CONTEXT);
  return pod;
}

/** The result of a write through a subresource. */
function written(subresource: string, old: Pod, change: (pod: Pod) => void): { pod: Pod; errors: string[] } {
  const strategy = podStrategy.subresources?.[subresource];
  const pod = clone(old);
  change(pod);
  strategy?.prepareForUpdate?.(pod, old, CONTEXT);
  return { pod, errors: (strategy?.validateUpdate?.(pod, old) ?? []).map(errorText) };
}

describe('a new pod', () => {
  test('is pending and has its QoS class', () => {
    expect(created().status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  test('has a PodScheduled condition while it has scheduling gates', () => {
    expect(created({ schedulingGates: [{ name: 'a' }] }).status).toMatchObject({
      conditions: [
        {
          type: 'PodScheduled',
          status: 'False',
          reason: 'SchedulingGated',
          lastTransitionTime: '2030-01-02T03:04:05Z',
        },
      ],
    });
  });

  test('gets selector requirements for its matchLabelKeys', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'z',
      whenUnsatisfiable: 'DoNotSchedule',
      matchLabelKeys: ['app', 'no'],
      labelSelector: {},
    };
    const pod = created({ topologySpreadConstraints: [constraint] }, { labels: { app: 'web' } });
    expect(pod.spec.topologySpreadConstraints?.[0]?.labelSelector).toEqual({
      matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }],
    });
  });

  test('gets a field for its AppArmor annotation', () => {
    const pod = created({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/app': 'localhost/p' } });
    expect(pod.spec.containers?.[0]?.securityContext).toEqual({
      appArmorProfile: { type: 'Localhost', localhostProfile: 'p' },
    });
  });

  test('loses fields of features that are off by default', () => {
    const sources = [{ clusterTrustBundle: { path: 'p', name: 'n' } }];
    const pod = created({ schedulingGroup: { podGroupName: 'g' }, volumes: [{ name: 'v', projected: { sources } }] });
    expect(pod.spec).not.toHaveProperty('schedulingGroup');
    expect(JSON.stringify(pod)).not.toContain('clusterTrustBundle');
  });
});

describe('an update of a pod', () => {
  const message = 'pod updates may not change fields other than';
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['accepts an unchanged pod', {}, {}, []],
    ['accepts another image', {}, { containers: [aContainer({ image: 'nginx:2' })] }, []],
    [
      'rejects another container',
      {},
      { containers: [aContainer(), aContainer({ name: 'b' })] },
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    ['accepts a new deadline', {}, { activeDeadlineSeconds: 5 }, []],
    [
      'rejects a longer deadline',
      { activeDeadlineSeconds: 5 },
      { activeDeadlineSeconds: 6 },
      ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
    ],
    [
      'rejects a removed deadline',
      { activeDeadlineSeconds: 5 },
      {},
      ['spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value'],
    ],
    ['accepts an additional toleration', {}, { tolerations: [{ operator: 'Exists' }] }, []],
    [
      'rejects a removed toleration',
      { tolerations: [{ operator: 'Exists' }] },
      {},
      ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
    ],
    ['accepts a removed scheduling gate', { schedulingGates: [{ name: 'a' }] }, {}, []],
    [
      'rejects an additional scheduling gate',
      {},
      { schedulingGates: [{ name: 'a' }] },
      [`spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'`],
    ],
    [
      'accepts fewer nodes for a gated pod',
      { schedulingGates: [{ name: 'a' }] },
      { schedulingGates: [{ name: 'a' }], nodeSelector: { z: '1' } },
      [],
    ],
    [
      'rejects more nodes for a gated pod',
      { schedulingGates: [{ name: 'a' }], nodeSelector: { z: '1' } },
      { schedulingGates: [{ name: 'a' }] },
      [
        'spec.nodeSelector: Invalid value: null: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
    ],
  ])('pod update validation %s', (_, from, to, expected) => {
    expect(updateErrors(from, to)).toEqual(expected);
  });

  test('reports the difference if an immutable field changes', () => {
    const [error = ''] = updateErrors({}, { nodeSelector: { z: '1' } });
    expect(error).toContain(message);
    expect(error).toContain('\n+ "NodeSelector": {\n+  "z": "1"\n');
  });
});

describe('a status write', () => {
  const bound = created({ nodeName: 'n' });
  test.each<[string, JsonObject, string[]]>([
    ['accepts a phase and conditions', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }, []],
    [
      'rejects two addresses of one family',
      { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
      [
        'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
      ],
    ],
    ['accepts one address per family', { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, []],
    [
      'rejects a changed QoS class',
      { qosClass: 'Guaranteed' },
      ['status.qosClass: Invalid value: "Guaranteed": field is immutable'],
    ],
    [
      'rejects a nominated node for a bound pod',
      { nominatedNodeName: 'm' },
      ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node'],
    ],
  ])('status validation %s', (_, status, expected) => {
    expect(written('status', bound, (pod) => Object.assign(pod.status, status)).errors).toEqual(expected);
  });

  test('keeps the spec, and the QoS class that old kubelets omit', () => {
    const { pod } = written('status', bound, (changed) => {
      changed.status = { phase: 'Running' };
      changed.spec.nodeName = 'other';
    });
    expect(pod.spec).toEqual(bound.spec);
    expect(pod.status).toEqual({ phase: 'Running', qosClass: 'BestEffort' });
  });

  test('rejects a restart of a finally terminated container', () => {
    const ended = created({ restartPolicy: 'Never' });
    const statuses = (state: JsonObject): ContainerStatus[] =>
      decodedAs(PODS, { status: { containerStatuses: [{ name: 'app', state }] } }).status.containerStatuses ?? [];
    ended.status.containerStatuses = statuses({ terminated: { exitCode: 1 } });
    const { errors } = written('status', ended, ({ status }) => {
      status.containerStatuses = statuses({ running: {} });
    });
    expect(errors).toEqual([
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ]);
  });
});

describe('a resize of a pod', () => {
  const resources = (cpu: string, more: JsonObject = {}): JsonObject => ({
    requests: { cpu, ...more },
    limits: { cpu: '2' },
  });
  const old = created({ containers: [aContainer({ resources: resources('1') })] });
  const resize = (of: JsonObject) =>
    written('resize', old, (pod) => {
      const containers = [aContainer({ image: 'other', resources: of })];
      pod.spec.containers = decodedAs(PODS, { spec: { containers } }).spec.containers;
    });

  test('changes CPU and no other field of the container', () => {
    const { pod, errors } = resize(resources('1500m'));
    expect(errors).toEqual([]);
    expect(pod.spec.containers?.[0]).toMatchObject({
      image: 'nginx:1.27',
      resources: resources('1500m'),
    });
    expect(pod.metadata.generation).toBe(2);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'rejects a removed request',
      { limits: { cpu: '2' }, requests: {} },
      ['spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed'],
    ],
    [
      'rejects a change of another resource',
      resources('1', { 'ephemeral-storage': '1Gi' }),
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    ],
  ])('resize validation %s', (_, wanted, expected) => {
    expect(resize(wanted).errors).toEqual(expected);
  });
});

test('accepts added ephemeral containers and rejects removed ones', () => {
  const debug: EphemeralContainer = {
    name: 'debug',
    image: 'nginx:1.27',
    resources: {},
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'Always',
  };
  const { pod, errors } = written('ephemeralcontainers', created(), (changed) => {
    changed.spec.ephemeralContainers = [debug];
    changed.spec.nodeName = 'other';
  });
  expect(errors).toEqual([]);
  expect(pod.spec).not.toHaveProperty('nodeName');
  const removed = written('ephemeralcontainers', pod, (changed) => {
    delete changed.spec.ephemeralContainers;
  });
  expect(removed.errors).toEqual([
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
  ]);
});

test.each<[string, JsonObject, JsonObject, number]>([
  ['without a node', {}, {}, 0],
  ['on a node', { nodeName: 'n' }, {}, 30],
  ['whose containers terminated', { nodeName: 'n' }, { phase: 'Succeeded' }, 0],
])('computes the grace period of a pod %s', (_, spec, status, seconds) => {
  expect(podStrategy.gracePeriod?.({ ...aPod(spec), status: { ...status } })).toBe(seconds);
});

test('returns the selectable fields of a pod', () => {
  const pod = {
    ...aPod({ nodeName: 'n', hostNetwork: true }),
    status: { phase: 'Running', podIPs: [{ ip: '10.0.0.1' }] },
  };
  expect(podStrategy.selectableFields?.(pod)).toMatchObject({
    'spec.nodeName': 'n',
    'spec.hostNetwork': 'true',
    'status.phase': 'Running',
    'status.podIP': '10.0.0.1',
    'status.nominatedNodeName': '',
  });
});
