import { expect, test } from 'vitest';
import type { ContainerState, ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import { aPod } from '../testing/pods.ts';
import { getPhase } from './phase.ts';

const RUNS: ContainerState = { running: { startedAt: null } };
const WAITS: ContainerState = { waiting: {} };
const ended = (exitCode: number): ContainerState => ({ terminated: { exitCode, startedAt: null, finishedAt: null } });
const status = (name: string, state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  state,
  lastState: {},
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  ...more,
});
const spec = (restartPolicy: string, more: Partial<Pod['spec']> = {}): Pod =>
  aPod('a', { spec: { restartPolicy, ...more } });
const INIT = { initContainers: [{ name: 'init', resources: {} }] };
const SIDECAR = { initContainers: [{ name: 'init', restartPolicy: 'Always', resources: {} }] };
const RULE = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];

test.each<[string, string, Pod, ContainerStatus[], { isTerminal?: boolean; hasInitialized?: boolean }?]>([
  ['Pending', 'no status', spec('Always'), []],
  ['Pending', 'a waiting container', spec('Always'), [status('app', WAITS)]],
  ['Running', 'a running container', spec('Always'), [status('app', RUNS)]],
  ['Running', 'an exit that is followed by a restart', spec('Always'), [status('app', ended(0))]],
  ['Running', 'a waiting container after an exit', spec('Always'), [status('app', WAITS, { lastState: ended(1) })]],
  [
    'Failed',
    'a waiting container after a success in a terminating pod',
    spec('Always'),
    [status('app', WAITS, { lastState: ended(0) })],
    { isTerminal: true },
  ],
  ['Succeeded', 'an exit in a terminating pod', spec('Always'), [status('app', ended(0))], { isTerminal: true }],
  ['Succeeded', 'a success without a restart', spec('OnFailure'), [status('app', ended(0))]],
  ['Running', 'a failure with a restart', spec('OnFailure'), [status('app', ended(1))]],
  ['Failed', 'a failure without a restart', spec('Never'), [status('app', ended(1))]],
  [
    'Running',
    'an exit with a restart rule',
    spec('Never', { containers: [{ name: 'app', restartPolicy: 'Never', restartPolicyRules: RULE, resources: {} }] }),
    [status('app', ended(42))],
  ],
  ['Pending', 'a running init container', spec('Always', INIT), [status('app', WAITS), status('init', RUNS)]],
  [
    'Failed',
    'an init container that failed permanently',
    spec('Never', INIT),
    [status('app', WAITS), status('init', ended(1))],
  ],
  [
    'Pending',
    'an init container that restarts after a failure',
    spec('Always', INIT),
    [status('app', WAITS), status('init', ended(1))],
  ],
  [
    'Running',
    'a container after its init container',
    spec('Always', INIT),
    [status('app', RUNS), status('init', ended(0))],
  ],
  ['Pending', 'a sidecar that has not started', spec('Always', SIDECAR), [status('app', RUNS), status('init', RUNS)]],
  [
    'Running',
    'a sidecar that restarts',
    spec('Always', SIDECAR),
    [status('app', RUNS), status('init', RUNS)],
    { hasInitialized: true },
  ],
  [
    'Running',
    'a sidecar of an exited container',
    spec('Never', SIDECAR),
    [status('app', ended(0)), status('init', RUNS, { started: true })],
  ],
  [
    'Succeeded',
    'an exited sidecar, which does not count',
    spec('Never', SIDECAR),
    [status('app', ended(0)), status('init', ended(137))],
  ],
])('returns %s for %s', (phase, _, pod, statuses, { isTerminal = false, hasInitialized = false } = {}) => {
  expect(getPhase(pod, { statuses, isTerminal, hasInitialized })).toBe(phase);
});
