import { describe, expect, test } from 'vitest';
import { clone, objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, items } from '#lib/machinery/unstructured.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { aContainer, aPod, updateErrors } from './builders.ts';
import { podStrategy } from './strategy.ts';

const CONTEXT = { namespace: 'default', user: 'tester', now: new Date('2030-01-02T03:04:05.678Z') };

function created(spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const pod = aPod(spec, metadata);
  ensure(pod, 'metadata')['generation'] = 1;
  podStrategy.prepareForCreate?.(pod, CONTEXT);
  return pod;
}

/** What a write through a subresource leads to. */
function written(
  subresource: string,
  old: JsonObject,
  change: (pod: JsonObject) => void,
): { pod: JsonObject; errors: string[] } {
  const strategy = podStrategy.subresources?.[subresource];
  const pod = clone(old);
  change(pod);
  strategy?.prepareForUpdate?.(pod, old, CONTEXT);
  return { pod, errors: (strategy?.validateUpdate?.(pod, old) ?? []).map(errorText) };
}

describe('a new pod', () => {
  test('is pending', () => {
    expect(created()['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  test('is not scheduled behind a gate', () => {
    expect(created({ schedulingGates: [{ name: 'a' }] })['status']).toMatchObject({
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

  test('has its label keys merged into selectors', () => {
    const constraint = {
      maxSkew: 1,
      topologyKey: 'z',
      whenUnsatisfiable: 'DoNotSchedule',
      matchLabelKeys: ['app', 'no'],
      labelSelector: {},
    };
    const pod = created({ topologySpreadConstraints: [constraint] }, { labels: { app: 'web' } });
    const [merged] = items(objectAt(pod, 'spec'), 'topologySpreadConstraints');
    expect(merged?.['labelSelector']).toEqual({ matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] });
  });

  test('has its AppArmor annotation as a field', () => {
    const pod = created({}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/app': 'localhost/p' } });
    expect(items(objectAt(pod, 'spec'), 'containers')[0]?.['securityContext']).toEqual({
      appArmorProfile: { type: 'Localhost', localhostProfile: 'p' },
    });
  });

  test('loses what is off by default', () => {
    const sources = [{ clusterTrustBundle: { path: 'p', name: 'n' } }];
    const pod = created({ schedulingGroup: { podGroupName: 'g' }, volumes: [{ name: 'v', projected: { sources } }] });
    expect(objectAt(pod, 'spec')).not.toHaveProperty('schedulingGroup');
    expect(JSON.stringify(pod)).not.toContain('clusterTrustBundle');
  });
});

describe('an update', () => {
  const message = 'pod updates may not change fields other than';
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['of nothing', {}, {}, []],
    ['of the image', {}, { containers: [aContainer({ image: 'nginx:2' })] }, []],
    [
      'that adds a container',
      {},
      { containers: [aContainer(), aContainer({ name: 'b' })] },
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
    ['that sets a deadline', {}, { activeDeadlineSeconds: 5 }, []],
    [
      'that raises it',
      { activeDeadlineSeconds: 5 },
      { activeDeadlineSeconds: 6 },
      ['spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value'],
    ],
    [
      'that drops it',
      { activeDeadlineSeconds: 5 },
      {},
      ['spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value'],
    ],
    ['that adds a toleration', {}, { tolerations: [{ operator: 'Exists' }] }, []],
    [
      'that drops one',
      { tolerations: [{ operator: 'Exists' }] },
      {},
      ['spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds'],
    ],
    ['that opens a gate', { schedulingGates: [{ name: 'a' }] }, {}, []],
    [
      'that closes one',
      {},
      { schedulingGates: [{ name: 'a' }] },
      [`spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a'`],
    ],
    [
      'that narrows a gated pod',
      { schedulingGates: [{ name: 'a' }] },
      { schedulingGates: [{ name: 'a' }], nodeSelector: { z: '1' } },
      [],
    ],
    [
      'that widens one',
      { schedulingGates: [{ name: 'a' }], nodeSelector: { z: '1' } },
      { schedulingGates: [{ name: 'a' }] },
      [
        'spec.nodeSelector: Invalid value: null: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
    ],
  ])('%s', (_, from, to, expected) => {
    expect(updateErrors(from, to)).toEqual(expected);
  });

  test('of anything else shows the difference', () => {
    const [error = ''] = updateErrors({}, { nodeSelector: { z: '1' } });
    expect(error).toContain(message);
    expect(error).toContain('\n+ "NodeSelector": {\n+  "z": "1"\n');
  });
});

describe('a status', () => {
  const bound = created({ nodeName: 'n' });
  test.each<[string, JsonObject, string[]]>([
    ['that is right', { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }, []],
    [
      'with two addresses of one family',
      { podIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
      [
        'status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family',
      ],
    ],
    ['with an address of each', { podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] }, []],
    [
      'of another class',
      { qosClass: 'Guaranteed' },
      ['status.qosClass: Invalid value: "Guaranteed": field is immutable'],
    ],
    [
      'that nominates a node too late',
      { nominatedNodeName: 'm' },
      ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node'],
    ],
  ])('%s', (_, status, expected) => {
    expect(written('status', bound, (pod) => Object.assign(ensure(pod, 'status'), status)).errors).toEqual(expected);
  });

  test('changes no specification, and keeps what old kubelets forget', () => {
    const { pod } = written('status', bound, (changed) => {
      changed['status'] = { phase: 'Running' };
      ensure(changed, 'spec')['nodeName'] = 'other';
    });
    expect(pod['spec']).toEqual(bound['spec']);
    expect(pod['status']).toEqual({ phase: 'Running', qosClass: 'BestEffort' });
  });

  test('does not bring the dead back', () => {
    const ended = created({ restartPolicy: 'Never' });
    const state = (of: JsonObject): Json => [{ name: 'app', state: of }];
    ensure(ended, 'status')['containerStatuses'] = state({ terminated: { exitCode: 1 } });
    const { errors } = written('status', ended, (pod) => {
      ensure(pod, 'status')['containerStatuses'] = state({ running: {} });
    });
    expect(errors).toEqual([
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
    ]);
  });
});

describe('a resize', () => {
  const resources = (cpu: string, more: JsonObject = {}): JsonObject => ({
    requests: { cpu, ...more },
    limits: { cpu: '2' },
  });
  const old = created({ containers: [aContainer({ resources: resources('1') })] });
  const resize = (of: JsonObject) =>
    written('resize', old, (pod) => {
      ensure(pod, 'spec')['containers'] = [aContainer({ image: 'other', resources: of })];
    });

  test('changes CPU and nothing else', () => {
    const { pod, errors } = resize(resources('1500m'));
    expect(errors).toEqual([]);
    expect(items(objectAt(pod, 'spec'), 'containers')[0]).toMatchObject({
      image: 'nginx:1.27',
      resources: resources('1500m'),
    });
    expect(objectAt(pod, 'metadata')?.['generation']).toBe(2);
  });

  test.each<[string, JsonObject, string[]]>([
    [
      'takes nothing away',
      { limits: { cpu: '2' }, requests: {} },
      ['spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed'],
    ],
    [
      'adds no other resource',
      resources('1', { 'ephemeral-storage': '1Gi' }),
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    ],
  ])('%s', (_, wanted, expected) => {
    expect(resize(wanted).errors).toEqual(expected);
  });
});

test('debug containers are added and stay', () => {
  const debug = aContainer({ name: 'debug', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' });
  const { pod, errors } = written('ephemeralcontainers', created(), (changed) => {
    ensure(changed, 'spec')['ephemeralContainers'] = [debug];
    ensure(changed, 'spec')['nodeName'] = 'other';
  });
  expect(errors).toEqual([]);
  expect(objectAt(pod, 'spec')).not.toHaveProperty('nodeName');
  const removed = written('ephemeralcontainers', pod, (changed) => {
    delete ensure(changed, 'spec')['ephemeralContainers'];
  });
  expect(removed.errors).toEqual([
    'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
  ]);
});

test.each<[string, JsonObject, JsonObject, number]>([
  ['nowhere', {}, {}, 0],
  ['on a node', { nodeName: 'n' }, {}, 30],
  ['that has ended', { nodeName: 'n' }, { phase: 'Succeeded' }, 0],
])('a pod %s ends in its time', (_, spec, status, seconds) => {
  expect(podStrategy.gracePeriod?.({ ...aPod(spec), status })).toBe(seconds);
});

test('fields by which pods are selected', () => {
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
