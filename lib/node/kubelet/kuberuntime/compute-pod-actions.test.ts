import { describe, expect, test } from 'vitest';
import type { Container, PodSpec } from '#lib/api/types/core.v1.ts';
import { NamespaceMode, PodSandboxState, PodSandboxStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { hashContainer } from '../container/hash.ts';
import type { RuntimeContainerStatus } from '../container/runtime.ts';
import { aContainer, aPod, runtimeStatus } from '../testing/pods.ts';
import { memoryResources } from '../testing/runtime-ports.ts';
import { computePodActions } from './compute-pod-actions.ts';

const container = (name: string, more: Partial<Container> = {}): Container => ({
  name,
  image: 'i',
  resources: {},
  ...more,
});
const sidecar = (name: string, more: Partial<Container> = {}): Container =>
  container(name, { restartPolicy: 'Always', ...more });
const status = (name: string, more: Partial<RuntimeContainerStatus> = {}): RuntimeContainerStatus =>
  aContainer({ id: `${name}-id`, name, hash: hashContainer({ name, image: 'i' }), ...more });
const exited = (name: string, exitCode: number, more: Partial<RuntimeContainerStatus> = {}): RuntimeContainerStatus =>
  status(name, { state: 'exited', exitCode, ...more });
const sandbox = (more: Parameters<typeof PodSandboxStatus.fromPartial>[0] = {}): PodSandboxStatus =>
  PodSandboxStatus.fromPartial({ id: 's0', metadata: { attempt: 0 }, network: { ip: '10.0.0.1' }, ...more });
const stopped = sandbox({ state: PodSandboxState.SANDBOX_NOTREADY });

interface Case {
  readonly spec?: Partial<PodSpec>;
  readonly deleted?: boolean;
  readonly containers?: readonly RuntimeContainerStatus[];
  readonly sandboxes?: readonly PodSandboxStatus[];
  readonly failed?: readonly string[];
  readonly healthy?: readonly string[];
  readonly restartAllContainers?: boolean;
}

function actionsOf({ spec, deleted, containers = [], sandboxes = [sandbox()], ...rest }: Case) {
  const metadata = deleted === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
  const pod = aPod('web', { metadata, spec: { containers: [container('a'), container('b')], ...spec } });
  const { failed = [], healthy = [], restartAllContainers } = rest;
  const probes = {
    result: (kind: string, id: string) => {
      if (failed.includes(`${kind} ${id}`)) return 'failure' as const;
      return healthy.includes(`${kind} ${id}`) ? ('success' as const) : undefined;
    },
  };
  const actions = computePodActions({
    pod,
    status: runtimeStatus(pod, containers, { sandboxStatuses: sandboxes }),
    probes,
    actuated: memoryResources(),
    restartAllContainers,
  });
  const steps = [
    ...(actions.killPod ? ['kill pod'] : []),
    ...(actions.createSandbox ? [`sandbox ${actions.attempt}`] : []),
    ...actions.containersToKill.map(({ id, message, reason }) => `kill ${id}: ${message} (${reason})`),
    ...actions.containersToReset.map(({ id, kill }) => `${kill ? 'kill and remove' : 'remove'} ${id}`),
    ...actions.ephemeralContainersToStart.map(({ name }) => `start ephemeral ${name}`),
    ...actions.initContainersToStart.map(({ name }) => `start init ${name}`),
    ...actions.containersToStart.map(({ name }) => `start ${name}`),
  ];
  return steps;
}

const both = [status('a'), status('b')];
const never = { restartPolicy: 'Never' };
const onFailure = { restartPolicy: 'OnFailure' };
const rule = (action: string, operator: string, ...values: number[]): Partial<Container> => ({
  restartPolicy: 'Never',
  restartPolicyRules: [{ action, exitCodes: { operator, values } }],
});

describe('actions for a sandbox', () => {
  test.each<[string, Case, string[]]>([
    ['is created for a new pod', { sandboxes: [] }, ['kill pod', 'sandbox 0', 'start a', 'start b']],
    ['is kept while it is ready', { containers: both }, []],
    [
      'is replaced after it stops',
      { sandboxes: [stopped], containers: both },
      ['kill pod', 'sandbox 1', 'start a', 'start b'],
    ],
    [
      'is replaced if two are ready',
      { sandboxes: [sandbox(), sandbox({ id: 's1' })], containers: both },
      ['kill pod', 'sandbox 1', 'start a', 'start b'],
    ],
    [
      'is replaced without an address',
      { sandboxes: [sandbox({ network: { ip: '' } })] },
      ['kill pod', 'sandbox 1', 'start a', 'start b'],
    ],
    [
      "needs no address on the host's network",
      {
        spec: { hostNetwork: true },
        sandboxes: [
          sandbox({ network: { ip: '' }, linux: { namespaces: { options: { network: NamespaceMode.NODE } } } }),
        ],
        containers: both,
      },
      [],
    ],
    [
      'is replaced when the spec requires another network',
      { spec: { hostNetwork: true } },
      ['kill pod', 'sandbox 1', 'start a', 'start b'],
    ],
    [
      'is not replaced for a pod that never restarts and ran',
      { spec: never, sandboxes: [stopped], containers: both },
      ['kill pod'],
    ],
    [
      'is replaced for a pod that never restarts but never ran',
      { spec: never, sandboxes: [stopped] },
      ['kill pod', 'sandbox 1', 'start a', 'start b'],
    ],
    [
      'only starts containers that did not succeed with OnFailure',
      { spec: onFailure, sandboxes: [stopped], containers: [exited('a', 0), exited('b', 1)] },
      ['kill pod', 'sandbox 1', 'start b'],
    ],
    [
      'is not replaced if all succeeded with OnFailure',
      { spec: onFailure, sandboxes: [stopped], containers: [exited('a', 0), exited('b', 0)] },
      ['kill pod'],
    ],
    [
      'starts with the first init container',
      { spec: { initContainers: [container('i'), container('j')] }, sandboxes: [] },
      ['kill pod', 'sandbox 0', 'start init i'],
    ],
  ])('a sandbox %s', (_, given, steps) => {
    expect(actionsOf(given)).toEqual(steps);
  });
});

describe('actions for regular containers', () => {
  test.each<[string, Case, string[]]>([
    ['starts if it never ran', { containers: [status('a')] }, ['start b']],
    ['restarts with policy Always', { containers: [exited('a', 0), status('b')] }, ['start a']],
    [
      'restarts after a failure with policy OnFailure',
      { spec: onFailure, containers: [exited('a', 1), status('b')] },
      ['start a'],
    ],
    [
      'does not restart after a success with policy OnFailure',
      { spec: onFailure, containers: [exited('a', 0), status('b')] },
      [],
    ],
    ['does not restart with policy Never', { spec: never, containers: [exited('a', 1), status('b')] }, []],
    [
      'starts if it was only created',
      { spec: never, containers: [status('a', { state: 'created' }), status('b')] },
      ['start a'],
    ],
    [
      'terminates the pod if it is the last one',
      { spec: never, containers: [exited('a', 1), exited('b', 0)] },
      ['kill pod'],
    ],
    ["does not restart after the pod's deletion", { deleted: true, containers: [exited('a', 1), status('b')] }, []],
    [
      'is killed in an unknown state before it starts',
      { containers: [status('a', { state: 'unknown' }), status('b')] },
      ['kill a-id: Container is in "unknown" state, try killing it before restart (Unknown)', 'start a'],
    ],
    [
      'is replaced when its definition changes, with any policy',
      { spec: never, containers: [status('a', { hash: 'x' }), status('b')] },
      ['kill a-id: Container a definition changed, will be restarted ()', 'start a'],
    ],
    [
      'is replaced when liveness fails',
      { failed: ['liveness a-id'], containers: both },
      ['kill a-id: Container a failed liveness probe, will be restarted (LivenessProbe)', 'start a'],
    ],
    [
      'is only killed when startup fails without a restart',
      { spec: never, failed: ['startup a-id'], containers: both },
      ['kill a-id: Container a failed startup probe (StartupProbe)'],
    ],
    [
      "prefers its own policy to the pod's",
      {
        spec: { ...never, containers: [container('a', { restartPolicy: 'OnFailure' }), container('b')] },
        containers: [exited('a', 1), status('b')],
      },
      ['start a'],
    ],
    [
      'prefers its rules to its policy',
      {
        spec: { containers: [container('a', rule('Restart', 'In', 42)), container('b')] },
        containers: [exited('a', 42), status('b')],
      },
      ['start a'],
    ],
    [
      'uses its policy if no rule matches',
      {
        spec: { containers: [container('a', rule('Restart', 'NotIn', 42)), container('b')] },
        containers: [exited('a', 42), status('b')],
      },
      [],
    ],
    [
      'runs next to ephemeral ones, which start once',
      {
        spec: { ephemeralContainers: ['e', 'f'].map((name) => ({ name, resources: {} })) },
        containers: [...both, exited('f', 0)],
      },
      ['start ephemeral e'],
    ],
  ])('a regular container %s', (_, given, steps) => {
    expect(actionsOf(given)).toEqual(steps);
  });
});

const inits = (...initContainers: Container[]): Partial<PodSpec> => ({ initContainers });
const three = inits(container('i'), container('j'), container('k'));
const sidecars = inits(sidecar('s'), container('i'), sidecar('t'));

describe('actions for init containers', () => {
  test.each<[string, Case, string[]]>([
    ['start in order from the first', { spec: three }, ['start init i']],
    ['start the next one after a success', { spec: three, containers: [exited('i', 0)] }, ['start init j']],
    ['continue after the last known one', { spec: three, containers: [exited('j', 0)] }, ['start init k']],
    ['delay the others while one runs', { spec: three, containers: [status('i')] }, []],
    [
      'let regular containers start after the last one',
      { spec: three, containers: [exited('k', 0)] },
      ['start a', 'start b'],
    ],
    ['restart after a failure', { spec: three, containers: [exited('i', 1)] }, ['start init i']],
    [
      'restart after an OOM kill',
      { spec: three, containers: [exited('i', 0, { reason: 'OOMKilled' })] },
      ['start init i'],
    ],
    [
      'terminate a pod that never restarts after a failure',
      { spec: { ...never, ...three }, containers: [exited('i', 1)] },
      ['kill pod'],
    ],
    [
      'start if they were only created',
      { spec: { ...never, ...three }, containers: [status('i', { state: 'created' })] },
      ['start init i'],
    ],
    [
      'are killed in an unknown state before they start',
      { spec: three, containers: [status('i', { state: 'unknown' })] },
      ['kill i-id: Init container is in "unknown" state, try killing it before restart (Unknown)', 'start init i'],
    ],
    ['do not restart next to regular containers', { spec: three, containers: both }, []],
    [
      'restart by their own rule in a pod that never restarts',
      { spec: { ...never, ...inits(container('i', rule('Restart', 'In', 3))) }, containers: [exited('i', 3)] },
      ['start init i'],
    ],
  ])('the init containers %s', (_, given, steps) => {
    expect(actionsOf(given)).toEqual(steps);
  });
});

const probed = inits(sidecar('s', { startupProbe: {}, livenessProbe: {} }), container('i'));

describe('actions for sidecars', () => {
  test.each<[string, Case, string[]]>([
    ['permit the next one to start while they run', { spec: sidecars, containers: [status('s')] }, ['start init i']],
    [
      'complete the initialization as the last one',
      { spec: sidecars, containers: [status('t'), exited('i', 0), status('s')] },
      ['start a', 'start b'],
    ],
    [
      'restart next to the next init container',
      { spec: sidecars, containers: [exited('i', 1), exited('s', 0)] },
      ['start init s', 'start init i'],
    ],
    [
      'restart in a pod that never restarts',
      { spec: { ...never, ...sidecars }, containers: [...both, exited('s', 1), status('t')] },
      ['start init s'],
    ],
    [
      'restart although the runtime does not know them',
      { spec: sidecars, containers: both },
      ['start init s', 'start init t'],
    ],
    ['delay the next one until the startup probe succeeds', { spec: probed, containers: [status('s')] }, []],
    [
      'permit the next one to start after the startup probe',
      { spec: probed, containers: [status('s')], healthy: ['startup s-id'] },
      ['start init i'],
    ],
    [
      'are replaced when startup fails',
      { spec: probed, containers: [status('s')], failed: ['startup s-id'] },
      ['kill s-id: Init container s failed startup probe (StartupProbe)', 'start init s'],
    ],
    [
      'are replaced when liveness fails while the next one starts',
      { spec: probed, containers: [status('s')], healthy: ['startup s-id'], failed: ['liveness s-id'] },
      ['kill s-id: Init container s failed liveness probe (LivenessProbe)', 'start init s', 'start init i'],
    ],
    [
      'are replaced when their definition changes',
      { spec: sidecars, containers: [...both, status('s', { hash: 'x' }), status('t')] },
      ['kill s-id: Init container s definition changed ()', 'start init s'],
    ],
    [
      'terminate together with the pod',
      { spec: { ...never, ...sidecars }, containers: [exited('a', 0), exited('b', 0), status('t'), exited('s', 1)] },
      ['kill pod'],
    ],
  ])('the sidecars %s', (_, given, steps) => {
    expect(actionsOf(given)).toEqual(steps);
  });
});

test('removes every attempt in a restart of all containers, last the one whose exit caused it', () => {
  const spec = {
    containers: [container('a', rule('RestartAllContainers', 'In', 9)), container('b')],
    ...inits(container('i')),
  };
  const containers = [exited('a', 9), status('b'), exited('b', 1, { id: 'b-old' }), exited('i', 0)];
  expect(actionsOf({ spec, containers, restartAllContainers: true })).toEqual([
    'kill and remove b-id',
    'remove b-old',
    'remove i-id',
    'remove a-id',
  ]);
});
