import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { MemoryCheckpoints } from '../../checkpointmanager/testing.ts';
import { ContainerMap } from '../containermap.ts';
import { parseCPUSet } from '../cpuset.ts';
import { aContainer, aPod, SomePods } from '../testing.ts';
import { bitMask } from '../topologymanager/bitmask.ts';
import { NO_AFFINITY, type TopologyHint } from '../topologymanager/hint-provider.ts';
import { CPUManager } from './cpu-manager.ts';
import type { CPUPolicy } from './policy.ts';
import { noneCPUPolicy } from './policy-none.ts';
import { staticPolicyOptions } from './policy-options.ts';
import { StaticCPUPolicy } from './policy-static.ts';
import { machineOf } from './testing.ts';
import { discoverTopology } from './topology.ts';

const mem = { memory: '1Gi' };
const oneCPU = (name: string, cpu = '1', sidecar?: boolean) => aContainer(name, { ...mem, cpu }, sidecar);

/** Two NUMA nodes with two cores of two threads each: cores {0,4} {1,5} and {2,6} {3,7}. */
const topology = discoverTopology(machineOf({ numa: 2, sockets: 2, cores: 2, threads: 2, caches: 0 }));

let checkpoints: MemoryCheckpoints;
let pods: SomePods;
let updates: string[];
let affinity: TopologyHint;

beforeEach(() => {
  checkpoints = new MemoryCheckpoints();
  pods = new SomePods();
  updates = [];
  affinity = NO_AFFINITY;
});

const policyOf = (options: Record<string, string> = {}, reservedCPUs = ''): StaticCPUPolicy =>
  new StaticCPUPolicy({
    topology,
    numReservedCPUs: 1,
    reservedCPUs: parseCPUSet(reservedCPUs),
    affinity: { getAffinity: () => affinity },
    options: staticPolicyOptions(options, { alpha: true, beta: true }),
  });

async function managerOf(policy: CPUPolicy = policyOf()): Promise<CPUManager> {
  const manager = new CPUManager({
    policy,
    checkpoints,
    directory: '/var/lib/kubelet',
    pods,
    runtime: {
      updateContainerResources: async ({ containerId, linux }) => {
        updates.push(`${containerId} ${linux?.cpusetCpus}`);
        if (containerId === 'broken') throw new Error('broken');
        return {};
      },
    },
    onFault: (error) => updates.push(String(error)),
  });
  await manager.start(new ContainerMap());
  return manager;
}

async function admitted(manager: CPUManager, pod: Pod): Promise<string[]> {
  pods.pods.push(pod);
  const all = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
  for (const container of all) await manager.allocate(pod, container);
  return all.map(({ name }) => String(manager.cpuAffinity(pod.metadata.uid ?? '', name)));
}

describe('the static policy', () => {
  test('assigns exclusive CPUs only to Guaranteed pods with integer requests, and never reserved ones', async () => {
    const manager = await managerOf();
    expect(await admitted(manager, aPod('a', [oneCPU('two', '2'), oneCPU('half', '500m')]))).toEqual([
      '1,5',
      '0,2-4,6-7',
    ]);
    const burstable = aPod('b', [{ name: 'c', resources: { requests: { cpu: '1' } } }]);
    expect(await admitted(manager, burstable)).toEqual(['0,2-4,6-7']);
    expect(String(manager.allocatableCPUs)).toBe('1-7');
    await expect(admitted(manager, aPod('c', [oneCPU('c', '6')]))).rejects.toThrow(
      'not enough cpus available to satisfy request: requested=6, available=5',
    );
  });

  test('takes CPUs of the affinity first', async () => {
    const manager = await managerOf();
    affinity = { affinity: bitMask(1), preferred: true };
    expect(await admitted(manager, aPod('a', [oneCPU('c', '2')]))).toEqual(['2,6']);
    expect(await admitted(manager, aPod('b', [oneCPU('c', '3')]))).toEqual(['3-4,7']);
  });

  test('passes CPUs of init containers to later containers, except those of sidecars', async () => {
    const manager = await managerOf();
    const pod = aPod('a', [oneCPU('app', '2')], [oneCPU('init', '2'), oneCPU('sidecar', '2', true)]);
    expect(await admitted(manager, pod)).toEqual(['1,5', '1,5', '2,6']);
    pods.pods = [];
    manager.getTopologyHints(aPod('other', []), oneCPU('c'));
    expect(String(manager.cpuAffinity('a', 'app'))).toBe('0-7');
  });

  test('ignores pods with pod-level resources', async () => {
    const manager = await managerOf();
    const pod = aPod('a', [oneCPU('c')]);
    pod.spec.resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } };
    expect(await admitted(manager, pod)).toEqual(['0-7']);
    expect(manager.getTopologyHints(pod, oneCPU('c')).size).toBe(0);
  });

  test.each([
    ['1', 'SMT Alignment Error: requested 1 cpus not multiple cpus per core = 2'],
    [
      '8',
      'SMT Alignment Error: not enough free physical CPUs: available physical CPUs = 6, requested CPUs = 8, CPUs per core = 2',
    ],
  ])('rejects a request for %s CPUs with full-pcpus-only', async (cpu, message) => {
    const manager = await managerOf(policyOf({ 'full-pcpus-only': 'true' }));
    const refusal = admitted(manager, aPod('a', [oneCPU('c', cpu)]));
    await expect(refusal).rejects.toMatchObject({ reason: 'SMTAlignmentError', message });
  });

  test('returns hints for nodes with enough free CPUs and prefers the fewest nodes', async () => {
    const manager = await managerOf();
    const hint = (preferred: boolean, ...nodes: number[]): TopologyHint => ({ affinity: bitMask(...nodes), preferred });
    const hints = (cpu: string) => manager.getTopologyHints(aPod('p', [oneCPU('c', cpu)]), oneCPU('c', cpu)).get('cpu');
    expect(hints('3')).toEqual([hint(true, 0), hint(true, 1), hint(false, 0, 1)]);
    expect(hints('4')).toEqual([hint(true, 1), hint(false, 0, 1)]);
    expect(hints('5')).toEqual([hint(true, 0, 1)]);
    expect(hints('8')).toEqual([]);
    expect(manager.getTopologyHints(aPod('p', [oneCPU('c', '1500m')]), oneCPU('c', '1500m'))).toEqual(new Map());
    const running = aPod('running', [oneCPU('c', '2')]);
    await admitted(manager, running);
    expect(manager.getPodTopologyHints(running).get('cpu')).toEqual([hint(true, 0), hint(false, 0, 1)]);
    expect(manager.getTopologyHints(running, oneCPU('c', '3')).get('cpu')).toEqual([]);
  });

  test('reserves the configured CPUs', () => {
    expect(String(policyOf({}, '7').allocatable)).toBe('0-6');
    expect(() => policyOf({}, '6-7')).toThrow(
      '[cpumanager] unable to reserve the required amount of CPUs (size of 6-7 did not equal 1)',
    );
    expect(() => policyOf({}, '9')).toThrow(
      '[cpumanager] unable to build the reserved physical CPUs from the reserved set: unknown CPU ID: 9',
    );
  });
});

describe('the state of the CPU manager', () => {
  test('restores the state after a restart', async () => {
    await admitted(await managerOf(), aPod('a', [oneCPU('c', '2')]));
    const again = await managerOf();
    expect(String(again.exclusiveCPUs('a', 'c'))).toBe('1,5');
    expect(String(again.exclusiveCPUs('a', 'other'))).toBe('');
  });

  test.each<[string, string, string]>([
    [
      'another policy',
      '{"policyName":"none","defaultCpuSet":"0-7","checksum":0}',
      'configured policy "static" differs from state checkpoint policy "none"',
    ],
    ['a wrong checksum', '{"policyName":"static","defaultCpuSet":"0-7","checksum":7}', 'checkpoint is corrupted'],
    [
      'an invalid CPU list',
      '{"policyName":"static","defaultCpuSet":"x","checksum":0}',
      'could not parse default cpu set "x": strconv.Atoi: parsing "x": invalid syntax',
    ],
  ])('fails to start with a state that has %s', async (_name, text, reason) => {
    checkpoints.put('cpu_manager_state', text);
    await expect(managerOf()).rejects.toThrow(
      `could not restore state from checkpoint: ${reason}, please drain this node and delete the CPU manager checkpoint file "/var/lib/kubelet/cpu_manager_state" before restarting Kubelet`,
    );
  });

  test.each<[string, Record<string, string>, string]>([
    ['"defaultCpuSet":"1-7"', {}, 'not all reserved cpus: "0" are present in defaultCpuSet: "1-7"'],
    ['"defaultCpuSet":"0-6"', {}, `current set of available CPUs "0-7" doesn't match with CPUs in state "0-6"`],
    ['"entries":{"p":{"c":"1"}}', {}, 'default cpuset cannot be empty'],
    [
      '"defaultCpuSet":"0-7","entries":{"p":{"c":"1"}}',
      {},
      'pod: p, container: c cpuset: "1" overlaps with default cpuset "0-7"',
    ],
    [
      '"defaultCpuSet":"0-7"',
      { 'strict-cpu-reservation': 'true' },
      'some of strictly reserved cpus: "0" are present in defaultCpuSet: "0-7"',
    ],
  ])('fails to start with the state %s and options %o', async (fields, options, message) => {
    checkpoints.put('cpu_manager_state', `{"policyName":"static",${fields},"checksum":0}`);
    await expect(managerOf(policyOf(options))).rejects.toThrow(message);
  });

  test('excludes strictly reserved CPUs from all sets, even after a restart', async () => {
    await managerOf(policyOf({ 'strict-cpu-reservation': 'true' }));
    const again = await managerOf(policyOf({ 'strict-cpu-reservation': 'true' }));
    expect(String(again.cpuAffinity('p', 'c'))).toBe('1-7');
  });

  test('keeps unknown containers until pod sources are ready', async () => {
    const manager = await managerOf();
    await admitted(manager, aPod('a', [oneCPU('c')]));
    Object.assign(pods, { pods: [], ready: false });
    manager.getPodTopologyHints(aPod('b', []));
    expect(manager.exclusiveCPUs('a', 'c').size).toBe(1);
  });
});

describe('reconciliation of running containers', () => {
  const status = (containerID: string, state: object) => ({
    containerStatuses: [
      { name: 'c', containerID, state, lastState: {}, ready: true, restartCount: 0, image: '', imageID: '' },
    ],
  });

  test('updates running containers once after their CPUs changed', async () => {
    const manager = await managerOf();
    const shared = aPod('shared', [{ name: 'c', resources: {} }]);
    await admitted(manager, shared);
    pods.statuses.set('shared', status('containerd://one', { running: {} }));
    await manager.reconcile();
    await manager.reconcile();
    await admitted(manager, aPod('own', [oneCPU('c', '2')]));
    pods.statuses.set('own', status('containerd://two', { running: {} }));
    manager.addContainer(aPod('own', []), oneCPU('c'), 'two');
    await manager.reconcile();
    expect(updates).toEqual(['one 0-7', 'one 0,2-4,6-7']);
  });

  test('skips waiting and terminated containers, and retries failures', async () => {
    const manager = await managerOf();
    await admitted(manager, aPod('shared', [{ name: 'c', resources: {} }]));
    for (const state of [{ waiting: {} }, { terminated: { exitCode: 0 } }, {}]) {
      pods.statuses.set('shared', status('containerd://one', state));
      await manager.reconcile();
    }
    pods.statuses.set('shared', status('containerd://broken', { running: {} }));
    await manager.reconcile();
    await manager.reconcile();
    expect(updates).toEqual(['broken 0-7', 'Error: broken', 'broken 0-7', 'Error: broken']);
  });
});

test('does not touch containers with policy none', async () => {
  const manager = await managerOf(noneCPUPolicy({}));
  expect(await admitted(manager, aPod('a', [oneCPU('c', '2')]))).toEqual(['']);
  expect(() => noneCPUPolicy({ b: '1', a: 'x' })).toThrow('None policy: received unsupported options=map[a:x b:1]');
});

test.each<[Record<string, string>, string]>([
  [{ 'no-such': 'true' }, 'unknown CPU Manager Policy option: "no-such"'],
  [
    { 'align-by-socket': 'true' },
    'CPU Manager Policy Alpha-level Options not enabled, but option "align-by-socket" provided',
  ],
  [
    { 'full-pcpus-only': 'on' },
    'bad value for option "full-pcpus-only": strconv.ParseBool: parsing "on": invalid syntax',
  ],
  [
    { 'prefer-align-cpus-by-uncorecache': '1', 'distribute-cpus-across-numa': 't' },
    'static policy options prefer-align-cpus-by-uncorecache and distribute-cpus-across-numa can not be used at the same time',
  ],
])('rejects the options %o', (options, message) => {
  expect(() => staticPolicyOptions(options)).toThrow(message);
});
