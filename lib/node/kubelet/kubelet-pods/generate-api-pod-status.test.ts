import { expect, test } from 'vitest';
import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { NamespaceMode, PodSandboxState, type PodSandboxStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import { aContainer, aPod, runtimeStatus } from '../testing/pods.ts';
import { generateAPIPodStatus, type PodStatusSources } from './generate-api-pod-status.ts';

const sources = (overrides: Partial<PodStatusSources> = {}): PodStatusSources => ({
  runtimeName: 'containerd',
  supportsRecursiveReadOnly: false,
  nodeIPs: [],
  hostIPs: ['192.0.2.7', '2001:db8::7'],
  podStatus: () => undefined,
  startFailure: () => undefined,
  shouldEvict: () => undefined,
  complete: (_, status) => {
    for (const one of status.containerStatuses ?? []) one.ready = one.state.running !== undefined;
  },
  resizeConditions: () => [],
  ...overrides,
});
const SANDBOX: PodSandboxStatus = {
  id: 's1',
  metadata: { name: 'a', uid: 'uid-a', namespace: 'default', attempt: 0 },
  state: PodSandboxState.SANDBOX_READY,
  createdAt: 0n,
  network: { ip: '10.0.0.2', additionalIps: [] },
  linux: {
    namespaces: { options: { network: NamespaceMode.POD, pid: 0, ipc: 0, targetId: '', usernsOptions: undefined } },
  },
  labels: {},
  annotations: {},
  runtimeHandler: '',
};
const running = (pod: Pod): RuntimePodStatus =>
  runtimeStatus(pod, [aContainer()], { ips: ['2001:db8:0::2', '10.0.0.2'], sandboxStatuses: [SANDBOX] });
const conditions = ({ conditions: all = [] }: PodStatus) =>
  Object.fromEntries(all.map(({ type, status, reason = '' }) => [type, `${status} ${reason}`.trim()]));

test('reports the phase, addresses and conditions of a running pod', () => {
  const pod = aPod('a');
  const status = generateAPIPodStatus(pod, running(pod), false, sources());
  expect(status).toMatchObject({
    phase: 'Running',
    hostIP: '192.0.2.7',
    hostIPs: [{ ip: '192.0.2.7' }, { ip: '2001:db8::7' }],
    podIP: '10.0.0.2',
    podIPs: [{ ip: '10.0.0.2' }, { ip: '2001:db8::2' }],
    qosClass: 'BestEffort',
  });
  expect(conditions(status)).toEqual({
    PodReadyToStartContainers: 'True',
    Initialized: 'True',
    Ready: 'True',
    ContainersReady: 'True',
    PodScheduled: 'True',
  });
});

test('reports a pod without a sandbox as pending, and the containers that are not ready', () => {
  const pod = aPod('a');
  const status = generateAPIPodStatus(pod, runtimeStatus(pod), false, sources());
  expect(status.phase).toBe('Pending');
  expect(conditions(status)).toMatchObject({ PodReadyToStartContainers: 'False', Ready: 'False ContainersNotReady' });
  expect(status.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(
    'containers with unready status: [app]',
  );
});

test('waits for readiness gate conditions of other writers before the pod is ready', () => {
  const gate = { type: 'example.com/gate', status: 'False', lastProbeTime: null, lastTransitionTime: null };
  const pod = aPod('a', {
    spec: { readinessGates: [{ conditionType: 'example.com/gate' }] },
    status: { conditions: [gate] },
  });
  const status = generateAPIPodStatus(pod, running(pod), false, sources());
  expect(status.conditions?.[0]).toEqual(gate);
  expect(status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
    status: 'False',
    reason: 'ReadinessGatesNotReady',
    message: 'the status of pod readiness gate "example.com/gate" is not "True", but False',
  });
});

test("reports the host's addresses for a pod on the host's network", () => {
  const pod = aPod('a', { spec: { hostNetwork: true } });
  const status = generateAPIPodStatus(pod, runtimeStatus(pod, [aContainer()]), false, sources());
  expect(status.podIPs).toEqual([{ ip: '192.0.2.7' }, { ip: '2001:db8::7' }]);
});

test.each([
  ['in the last set status', aPod('a'), { phase: 'Failed', reason: 'Evicted', message: 'why' }],
  ['in the API', aPod('a', { status: { phase: 'Failed', reason: 'Evicted', message: 'why' } }), undefined],
])('keeps a pod terminated that has ended %s', (_, pod, held) => {
  const status = generateAPIPodStatus(pod, running(pod), false, sources({ podStatus: () => held }));
  expect(status).toMatchObject({ phase: 'Failed', reason: 'Evicted', message: 'why' });
  expect(conditions(status)).toMatchObject({ Ready: 'False PodFailed', ContainersReady: 'False PodFailed' });
});

test('reports a pod past its deadline as failed', () => {
  const pod = aPod('a');
  const late = { reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' };
  expect(generateAPIPodStatus(pod, running(pod), false, sources({ shouldEvict: () => late }))).toMatchObject({
    phase: 'Failed',
    ...late,
  });
});

test('reports the requested pod-level resources', () => {
  const resources = { requests: { cpu: '100m' }, limits: { memory: '1Gi' } };
  const pod = aPod('a', { spec: { containers: [{ name: 'app', resources }] } });
  expect(generateAPIPodStatus(pod, runtimeStatus(pod), false, sources())).toMatchObject({
    allocatedResources: { cpu: '100m' },
    resources,
  });
});
