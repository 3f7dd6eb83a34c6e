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
  ['Pending', 'a container that waits', spec('Always'), [status('app', WAITS)]],
  ['Running', 'a container that runs', spec('Always'), [status('app', RUNS)]],
  ['Running', 'an end that is followed by a restart', spec('Always'), [status('app', ended(0))]],
  ['Running', 'a wait after an end', spec('Always'), [status('app', WAITS, { lastState: ended(1) })]],
  [
    'Failed',
    'a wait after a good end in a pod that ends',
    spec('Always'),
    [status('app', WAITS, { lastState: ended(0) })],
    { isTerminal: true },
  ],
  ['Succeeded', 'an end in a pod that ends', spec('Always'), [status('app', ended(0))], { isTerminal: true }],
  ['Succeeded', 'a good end without restart', spec('OnFailure'), [status('app', ended(0))]],
  ['Running', 'a bad end that is restarted', spec('OnFailure'), [status('app', ended(1))]],
  ['Failed', 'a bad end without restart', spec('Never'), [status('app', ended(1))]],
  [
    'Running',
    'an end that a rule restarts',
    spec('Never', { containers: [{ name: 'app', restartPolicy: 'Never', restartPolicyRules: RULE, resources: {} }] }),
    [status('app', ended(42))],
  ],
  ['Pending', 'an init container that runs', spec('Always', INIT), [status('app', WAITS), status('init', RUNS)]],
  [
    'Failed',
    'an init container that failed for good',
    spec('Never', INIT),
    [status('app', WAITS), status('init', ended(1))],
  ],
  [
    'Pending',
    'an init container that failed and runs again',
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
    'a sidecar that starts again',
    spec('Always', SIDECAR),
    [status('app', RUNS), status('init', RUNS)],
    { hasInitialized: true },
  ],
  [
    'Running',
    'a sidecar beside an ended container',
    spec('Never', SIDECAR),
    [status('app', ended(0)), status('init', RUNS, { started: true })],
  ],
  [
    'Succeeded',
    'an ended sidecar does not count',
    spec('Never', SIDECAR),
    [status('app', ended(0)), status('init', ended(137))],
  ],
])('%s: %s', (phase, _, pod, statuses, { isTerminal = false, hasInitialized = false } = {}) => {
  expect(getPhase(pod, { statuses, isTerminal, hasInitialized })).toBe(phase);
});
