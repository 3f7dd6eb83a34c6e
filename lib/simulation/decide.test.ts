import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { aPod, JOB, Life, START } from './a-pod.ts';

const named = (name: string, more: JsonObject = {}): JsonObject => ({ name, image: 'i', ...more });
const HELD = { finalizers: ['example.com/held'] };
const ENDED = ['c terminated Error 143 0'];
const never = { restartPolicy: 'Never' };
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000', '');

test('runs a pod and makes it ready with one write', () => {
  const life = new Life(aPod()).until(600);
  expect(life.phases).toEqual(['Running']);
  expect(life.containers).toEqual(['c! running 0']);
  expect(life.conditions).toEqual([
    'PodReadyToStartContainers=True',
    'Initialized=True',
    'Ready=True',
    'ContainersReady=True',
    'PodScheduled=True',
  ]);
  expect(life.status).toMatchObject({
    hostIP: '172.18.0.2',
    podIP: '10.244.0.2',
    podIPs: [{ ip: '10.244.0.2' }],
    startTime: at(0),
    observedGeneration: 1,
    qosClass: 'BestEffort',
    containerStatuses: [{ containerID: expect.stringMatching(/^simulated:\/\/[0-9a-f]{64}$/), started: true }],
  });
});

describe('containers of a simulated pod', () => {
  test.each<[string, Pod, number, unknown[], string[]]>([
    ['of a job', aPod({ metadata: JOB, spec: never }), 5, ['Running', 'Succeeded'], ['c terminated Completed 0 0']],
    ['of a bare pod', aPod({ spec: never }), 9999, ['Running'], ['c! running 0']],
    [
      'of a job with a run time',
      aPod({ metadata: JOB, spec: never, behaves: { 'exit-after': '10s' } }),
      9,
      ['Running'],
      ['c! running 0'],
    ],
    [
      'of a job that never ends',
      aPod({ metadata: JOB, spec: never, behaves: { 'exit-after': 'never' } }),
      9999,
      ['Running'],
      ['c! running 0'],
    ],
    [
      'of a helm test',
      aPod({ metadata: { annotations: { 'helm.sh/hook': 'test' } }, spec: never }),
      5,
      ['Running', 'Succeeded'],
      ['c terminated Completed 0 0'],
    ],
    [
      'that fail',
      aPod({ spec: never, behaves: { 'exit-code': '3' } }),
      5,
      ['Running', 'Failed'],
      ['c terminated Error 3 0'],
    ],
    [
      'that fail and restart at once, then after 10 s',
      aPod({ spec: { restartPolicy: 'OnFailure' }, behaves: { 'exit-code': '1' } }),
      9,
      ['Running', 'Running', 'Running', 'Running', 'Running'],
      ['c waiting CrashLoopBackOff 1'],
    ],
    [
      'that fail twice, and then run',
      aPod({ behaves: { 'exit-code': '1', 'fail-times': '2' } }),
      60,
      Array.from({ length: 6 }, () => 'Running'),
      ['c! running 2'],
    ],
    [
      'that fail twice in a job, and then succeed',
      aPod({
        metadata: JOB,
        spec: { restartPolicy: 'OnFailure' },
        behaves: { 'exit-code': '1', 'fail-times': '2' },
      }),
      60,
      [...Array.from({ length: 6 }, () => 'Running'), 'Succeeded'],
      ['c terminated Completed 0 2'],
    ],
    [
      'that succeed with restartPolicy Always',
      aPod({ behaves: { 'exit-after': '0s' } }),
      5,
      ['Running', 'Running', 'Running', 'Running', 'Running'],
      ['c waiting CrashLoopBackOff 1'],
    ],
    [
      'of which one fails and one continues',
      aPod({
        spec: { ...never, containers: [named('a'), named('b')] },
        behaves: { 'exit-code': '5', container: 'b' },
      }),
      60,
      ['Running', 'Running'],
      ['a! running 0', 'b terminated Error 5 0'],
    ],
    [
      'whose image cannot be pulled',
      aPod({ behaves: { 'waiting-reason': 'ImagePullBackOff' } }),
      60,
      ['Pending'],
      ['c waiting ImagePullBackOff 0'],
    ],
    [
      'that start late',
      aPod({ behaves: { 'start-delay': '30s' } }),
      29,
      ['Pending'],
      ['c waiting ContainerCreating 0'],
    ],
    ['that started late', aPod({ behaves: { 'start-delay': '30s' } }), 30, ['Pending', 'Running'], ['c! running 0']],
    ['that are not ready yet', aPod({ behaves: { 'ready-delay': '1m' } }), 59, ['Running'], ['c running 0']],
    [
      'that become ready late',
      aPod({ behaves: { 'ready-delay': '1m' } }),
      60,
      ['Running', 'Running'],
      ['c! running 0'],
    ],
    ['that are never ready', aPod({ behaves: { 'ready-delay': 'never' } }), 9999, ['Running'], ['c running 0']],
    [
      'after init containers',
      aPod({ spec: { initContainers: [named('i1'), named('i2')] } }),
      5,
      ['Running'],
      ['i1! terminated Completed 0 0', 'i2! terminated Completed 0 0', 'c! running 0'],
    ],
    [
      'after init containers that take time',
      aPod({ spec: { initContainers: [named('i1'), named('i2')] }, behaves: { 'init-duration': '10s' } }),
      15,
      ['Pending', 'Pending'],
      ['i1! terminated Completed 0 0', 'i2 running 0', 'c waiting PodInitializing 0'],
    ],
    [
      'after an init container that fails permanently',
      aPod({ spec: { ...never, initContainers: [named('i1'), named('i2')] }, behaves: { 'init-exit-code': '4' } }),
      5,
      ['Failed'],
      ['i1 terminated Error 4 0', 'i2 waiting PodInitializing 0', 'c waiting PodInitializing 0'],
    ],
    [
      'after an init container that fails once',
      aPod({ spec: { initContainers: [named('i')] }, behaves: { 'init-exit-code': '4', 'fail-times': '1' } }),
      5,
      ['Pending', 'Running'],
      ['i! terminated Completed 0 1', 'c! running 0'],
    ],
    [
      'next to a sidecar',
      aPod({ spec: { initContainers: [named('s', { restartPolicy: 'Always' })] } }),
      5,
      ['Running'],
      ['s! running 0', 'c! running 0'],
    ],
    [
      'next to a sidecar, which ends with them',
      aPod({
        metadata: JOB,
        spec: { ...never, initContainers: [named('s', { restartPolicy: 'Always' })] },
        behaves: { 'stop-exit-code': '0' },
      }),
      5,
      ['Running', 'Succeeded'],
      ['s terminated Completed 0 0', 'c terminated Completed 0 0'],
    ],
    [
      'next to an ephemeral container',
      aPod({ spec: { ephemeralContainers: [named('debug')] } }),
      5,
      ['Running'],
      ['c! running 0', 'debug running 0'],
    ],
    [
      'next to an ephemeral container that ends and does not restart',
      aPod({ spec: { ephemeralContainers: [named('debug')] }, behaves: { 'exit-after': '5s', container: 'debug' } }),
      60,
      ['Running', 'Running'],
      ['c! running 0', 'debug terminated Completed 0 0'],
    ],
    [
      'by rules of restarts',
      aPod({
        spec: {
          ...never,
          containers: [
            named('c', {
              restartPolicy: 'Never',
              restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
            }),
          ],
        },
        behaves: { 'exit-code': '42', 'fail-times': '1', 'exit-after': '0s' },
      }),
      5,
      ['Running', 'Running', 'Running'],
      ['c! running 1'],
    ],
  ])('reach the status of containers %s', (_, pod, seconds, phases, containers) => {
    const life = new Life(pod).until(seconds);
    expect(life.containers).toEqual(containers);
    expect(life.phases).toEqual(phases);
  });
});

test('restarts crashing containers after 10, 20, 40, 80, 160 and 300 seconds', () => {
  const life = new Life(aPod({ behaves: { 'exit-code': '1' } }));
  const starts = [0, 10, 30, 70, 150, 310, 610, 910].map((seconds) => life.until(seconds + 1).containers[0]);
  expect(starts).toEqual(Array.from({ length: 8 }, (_, i) => `c waiting CrashLoopBackOff ${i + 1}`));
  const [status] = life.status.containerStatuses ?? [];
  expect(status).toMatchObject({
    state: { waiting: { message: 'back-off 5m0s restarting failed container=c pod=p_ns(u)' } },
    lastState: { terminated: { exitCode: 1, reason: 'Error' } },
  });
});

test('restarts a container with a changed image, regardless of the restart policy', () => {
  const life = new Life(aPod({ spec: never })).until(5);
  life.pod = { ...life.pod, spec: { ...life.pod.spec, containers: [{ name: 'c', image: 'j', resources: {} }] } };
  expect(life.until(6).containers).toEqual(['c! running 1']);
  expect(life.status.containerStatuses).toMatchObject([{ image: 'j', lastState: { terminated: { exitCode: 143 } } }]);
});

test('fails a pod past its deadline', () => {
  const life = new Life(aPod({ spec: { activeDeadlineSeconds: 20 } })).until(19);
  expect(life.phases).toEqual(['Running']);
  expect(life.until(20).status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  expect(life.containers).toEqual(['c terminated Error 143 0']);
});

describe('readiness gates of a simulated pod', () => {
  const gated = (conditions: JsonObject[]): Life =>
    new Life(aPod({ spec: { readinessGates: [{ conditionType: 'a/b' }] }, status: { conditions } })).until(5);
  const gate = (status: string) => ({ type: 'a/b', status });

  test.each<[string, JsonObject[], string, string]>([
    [
      'missing',
      [],
      'Ready=False ReadinessGatesNotReady',
      'corresponding condition of pod readiness gate "a/b" does not exist.',
    ],
    [
      'closed',
      [gate('False')],
      'Ready=False ReadinessGatesNotReady',
      'the status of pod readiness gate "a/b" is not "True", but False',
    ],
    ['open', [gate('True')], 'Ready=True', ''],
  ])('determine the Ready condition: a gate that is %s', (_, conditions, expected, message) => {
    const life = gated(conditions);
    expect(life.conditions).toContain(expected);
    expect(life.conditions).toContain('ContainersReady=True');
    expect(JSON.stringify(life.status['conditions'])).toContain(JSON.stringify(message).slice(1, -1));
    expect(life.conditions.filter((one) => one.startsWith('a/b'))).toHaveLength(conditions.length);
  });
});

test('changes the times of conditions only with their status', () => {
  const life = new Life(aPod({ behaves: { 'ready-delay': '30s' } })).until(60);
  const times = Object.fromEntries(
    (life.status['conditions'] as JsonObject[]).map((one) => [one['type'], one['lastTransitionTime']]),
  );
  expect(times).toMatchObject({ Initialized: at(0), PodScheduled: at(0), Ready: at(30), ContainersReady: at(30) });
});

describe('addresses of a simulated pod', () => {
  test('gives a host-network pod the addresses of its node', () => {
    const pod = aPod({ spec: { hostNetwork: true } });
    const life = new Life(pod, { hostIPs: ['172.18.0.2'], podIPs: ['172.18.0.2'] }).until(1);
    expect(life.status).toMatchObject({ phase: 'Running', podIP: '172.18.0.2', hostIP: '172.18.0.2' });
  });

  test('keeps a pod without an address waiting', () => {
    const life = new Life(aPod(), { hostIPs: ['172.18.0.2'], podIPs: [] }).until(60);
    expect(life.phases).toEqual(['Pending']);
    expect(life.conditions[0]).toBe('PodReadyToStartContainers=False');
    expect(life.last.lookIn).toBe(5000);
  });
});

test('allocates the resources that a pod requests, including after a resize', () => {
  const asked = (cpu: string) => [{ name: 'c', image: 'i', resources: { requests: { cpu }, limits: { cpu: '1' } } }];
  const life = new Life(aPod({ spec: { containers: asked('100m') } })).until(5);
  const given = (cpu: string) => ({
    allocatedResources: { cpu },
    resources: { requests: { cpu }, limits: { cpu: '1' } },
  });
  expect(life.status).toMatchObject({ ...given('100m'), containerStatuses: [given('100m')] });
  const metadata = { ...life.pod.metadata, generation: 2 };
  life.pod = { ...life.pod, metadata, spec: { ...life.pod.spec, containers: asked('200m') } };
  expect(life.until(6).status).toMatchObject({ ...given('200m'), observedGeneration: 2 });
  expect(life.containers).toEqual(['c! running 0']);
});

describe('deletion of a simulated pod', () => {
  test.each<[string, Pod, number, number, boolean, string[]]>([
    ['at once by default', aPod(), 30, 0, true, ['c terminated Error 143 0']],
    [
      'with the exit code in the annotation',
      aPod({ behaves: { 'stop-exit-code': '0' } }),
      30,
      0,
      true,
      ['c terminated Completed 0 0'],
    ],
    ['after the stop duration', aPod({ behaves: { 'stop-duration': '10s' } }), 30, 9, false, ['c! running 0']],
    [
      'finished after the stop duration',
      aPod({ behaves: { 'stop-duration': '10s' } }),
      30,
      10,
      true,
      ['c terminated Error 143 0'],
    ],
    ['within the grace period', aPod({ behaves: { 'stop-duration': '1h' } }), 30, 29, false, ['c! running 0']],
    [
      'killed after the grace period',
      aPod({ behaves: { 'stop-duration': '1h' } }),
      30,
      30,
      true,
      ['c terminated Error 137 0'],
    ],
    ['without a grace period, leaving the pod to its finalizers', aPod({ metadata: HELD }), 0, 0, false, ENDED],
    ['without a grace period and finalizers, removing the pod again', aPod(), 0, 0, true, ENDED],
    [
      'before its containers started',
      aPod({ behaves: { 'start-delay': '1h' } }),
      30,
      0,
      true,
      ['c terminated ContainerStatusUnknown 137 0'],
    ],
    ['while its container backs off', aPod({ behaves: { 'exit-code': '7' } }), 30, 0, true, ['c terminated Error 7 1']],
  ])('stops its containers: %s', (_, pod, grace, seconds, isOver, containers) => {
    const life = new Life(pod)
      .until(5)
      .delete(grace)
      .until(5 + seconds);
    expect(life.containers).toEqual(containers);
    expect(life.last.isOver).toBe(isOver);
    expect(life.until(5 + seconds).last.isOver).toBe(isOver); // a node that was killed before the removal removes the pod now
  });

  test('keeps the status of a pod that has already ended', () => {
    const life = new Life(aPod({ metadata: JOB, spec: never })).until(5);
    const before = life.status;
    expect(life.delete(30).until(6).last).toEqual({ isOver: true });
    expect(life.status).toBe(before);
  });
});

test('leaves a pod that has ended unchanged', () => {
  const ended = aPod({ status: { phase: 'Failed', reason: 'Evicted' } });
  expect(new Life(ended).until(60).phases).toEqual([]);
});
