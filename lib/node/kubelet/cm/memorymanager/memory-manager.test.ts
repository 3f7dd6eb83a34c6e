import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { MemoryCheckpoints } from '../../checkpointmanager/testing.ts';
import { ContainerMap } from '../containermap.ts';
import type { NumaNode } from '../machine-topology.ts';
import { aContainer, aPod, SomePods } from '../testing.ts';
import { bitMask } from '../topologymanager/bitmask.ts';
import { NO_AFFINITY, type TopologyHint } from '../topologymanager/hint-provider.ts';
import { decodeMemoryState, encodeMemoryState } from './checkpoint.ts';
import { MemoryManager } from './memory-manager.ts';
import { type MemoryPolicy, noneMemoryPolicy } from './policy.ts';
import { StaticMemoryPolicy } from './policy-static.ts';
import { systemReservedMemory } from './reserved-memory.ts';
import { MemoryState } from './state.ts';

const GI = 1024 ** 3;
const node = (id: number): NumaNode => ({
  id,
  memory: 10 * GI,
  hugePages: [{ pageSize: 1048576, numPages: 2 }],
  distances: undefined,
  cores: [],
});
const nodes = [node(0), node(1)];
const reserved = systemReservedMemory(nodes, new Map([['memory', '1Gi']]), [
  { numaNode: 0, limits: new Map([['memory', '1Gi']]) },
]);
const mem = (name: string, memory: string, sidecar?: boolean) => aContainer(name, { cpu: '1', memory }, sidecar);

let checkpoints: MemoryCheckpoints;
let pods: SomePods;
let affinity: TopologyHint;

beforeEach(() => {
  checkpoints = new MemoryCheckpoints();
  pods = new SomePods();
  affinity = { affinity: undefined, preferred: true };
});

const policyOf = (): StaticMemoryPolicy =>
  new StaticMemoryPolicy({ nodes, reserved, affinity: { getAffinity: () => affinity } });

async function managerOf(policy: MemoryPolicy = policyOf()): Promise<MemoryManager> {
  const onFault = (error: unknown): void => {
    throw error;
  };
  const manager = new MemoryManager({ policy, checkpoints, directory: '/var/lib/kubelet', pods, onFault });
  await manager.start(new ContainerMap());
  return manager;
}

async function admitted(manager: MemoryManager, pod: Pod): Promise<number[][]> {
  pods.pods.push(pod);
  const all = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
  for (const container of all) await manager.allocate(pod, container);
  return all.map(({ name }) => manager.memoryNUMANodes(pod.metadata.uid ?? '', name));
}

const hint = (preferred: boolean, ...ids: number[]): TopologyHint => ({ affinity: bitMask(...ids), preferred });

describe('the static memory policy', () => {
  // Node 0 has 7 GiB allocatable, node 1 has 8 GiB.
  test('assigns memory of one node if one has enough', async () => {
    const manager = await managerOf();
    expect(await admitted(manager, aPod('a', [mem('c', '5Gi')]))).toEqual([[0]]);
    expect(await admitted(manager, aPod('b', [mem('c', '5Gi')]))).toEqual([[1]]);
    await expect(admitted(manager, aPod('c', [mem('c', '5Gi')]))).rejects.toThrow(
      '[memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available',
    );
  });

  test('assigns memory of several nodes if none has enough, and then only uses them together', async () => {
    const manager = await managerOf();
    expect(await admitted(manager, aPod('a', [mem('c', '12Gi')]))).toEqual([[0, 1]]);
    affinity = NO_AFFINITY;
    expect(await admitted(manager, aPod('b', [mem('c', '1Gi')]))).toEqual([[0, 1]]);
    expect(checkpoints.text('memory_manager_state')).toContain('"cells":[0,1]');
  });

  test('follows the hint of the topology manager and adds nodes if they are not enough', async () => {
    const manager = await managerOf();
    affinity = hint(true, 1);
    expect(await admitted(manager, aPod('a', [mem('c', '1Gi')]))).toEqual([[1]]);
    affinity = hint(false, 0);
    await expect(admitted(manager, aPod('b', [mem('c', '9Gi')]))).rejects.toThrow(
      '[memorymanager] failed to find NUMA nodes to extend the current topology hint',
    );
    affinity = hint(false, 0, 1);
    await expect(admitted(manager, aPod('c', [mem('c', '1Gi')]))).rejects.toThrow(
      '[memorymanager] preferred hint violates NUMA node allocation',
    );
    const fresh = new MemoryCheckpoints();
    checkpoints = fresh;
    pods.pods = [];
    const other = await managerOf();
    affinity = hint(false, 0);
    expect(await admitted(other, aPod('d', [mem('c', '9Gi')]))).toEqual([[0, 1]]);
  });

  test('rejects a hint that is not preferred if a preferred one was required', async () => {
    const manager = await managerOf();
    await admitted(manager, aPod('a', [mem('c', '12Gi')]));
    await expect(admitted(manager, aPod('b', [mem('c', '1Gi')]))).rejects.toThrow(
      '[memorymanager] failed to find the default preferred hint',
    );
  });

  test('assigns huge pages of the same nodes', async () => {
    const manager = await managerOf();
    const pages = aContainer('c', { cpu: '1', memory: '1Gi', 'hugepages-1Gi': '2Gi' });
    expect(await admitted(manager, aPod('a', [pages]))).toEqual([[0]]);
    expect(manager.memory('a', 'c')).toEqual([
      { numaAffinity: [0], type: 'hugepages-1Gi', size: 2 * GI },
      { numaAffinity: [0], type: 'memory', size: GI },
    ]);
    expect(await admitted(manager, aPod('b', [pages]))).toEqual([[1]]);
  });

  test('passes memory of init containers to later ones and frees it when these start', async () => {
    const manager = await managerOf();
    const pod = aPod('a', [mem('app', '7Gi')], [mem('init', '6Gi')]);
    expect(await admitted(manager, pod)).toEqual([[0], [0]]);
    expect(manager.memory('a', 'init')).toEqual([{ numaAffinity: [0], type: 'memory', size: 0 }]);
    manager.addContainer(pod, mem('app', '7Gi'), 'id');
    expect(manager.memory('a', 'init')).toEqual([]);
    pods.pods = [];
    expect(manager.getTopologyHints(aPod('b', [mem('c', '7Gi')]), mem('c', '7Gi')).get('memory')).toEqual([
      hint(true, 0),
      hint(true, 1),
      hint(false, 0, 1),
    ]);
  });

  test('returns no hints for pods that are not Guaranteed', async () => {
    const manager = await managerOf();
    const burstable = aPod('a', [{ name: 'c', resources: { requests: { memory: '1Gi' } } }]);
    expect(manager.getPodTopologyHints(burstable)).toEqual(new Map());
    expect(await admitted(manager, burstable)).toEqual([[]]);
  });

  test('returns hints for a whole pod, and for its current nodes', async () => {
    const manager = await managerOf();
    const pod = aPod('a', [mem('x', '4Gi'), mem('y', '4Gi')]);
    expect(manager.getPodTopologyHints(pod).get('memory')).toEqual([hint(true, 1), hint(false, 0, 1)]);
    const one = aPod('b', [mem('c', '3Gi')]);
    await admitted(manager, one);
    expect(manager.getTopologyHints(one, mem('c', '3Gi')).get('memory')).toEqual([hint(true, 0)]);
    expect(manager.getTopologyHints(one, mem('c', '4Gi'))).toEqual(new Map());
  });

  test('returns the allocatable memory', async () => {
    const sizes = (await managerOf()).allocatableMemory.map(({ numaAffinity, type, size }) => [
      numaAffinity[0],
      type,
      size / GI,
    ]);
    expect(sizes).toEqual([
      [0, 'hugepages-1Gi', 2],
      [0, 'memory', 7],
      [1, 'hugepages-1Gi', 2],
      [1, 'memory', 8],
    ]);
  });
});

describe('the state of the memory manager', () => {
  test('restores the state after a restart', async () => {
    await admitted(await managerOf(), aPod('a', [mem('c', '5Gi')]));
    expect((await managerOf()).memoryNUMANodes('a', 'c')).toEqual([0]);
  });

  test('fails to start with the state of another machine', async () => {
    await admitted(await managerOf(), aPod('a', [mem('c', '5Gi')]));
    const larger = nodes.map((one) => ({ ...one, memory: 20 * GI }));
    const policy = new StaticMemoryPolicy({ nodes: larger, reserved, affinity: { getAffinity: () => affinity } });
    await expect(managerOf(policy)).rejects.toThrow(
      '[memorymanager] the expected machine state is different from the real one',
    );
    const small = new StaticMemoryPolicy({ nodes: [node(1)], reserved, affinity: { getAffinity: () => affinity } });
    await expect(managerOf(small)).rejects.toThrow(
      '[memorymanager] (pod: a, container: c) the memory assignment uses the NUMA that does not exist',
    );
  });

  test('fails to start with the state of another policy', async () => {
    await managerOf(noneMemoryPolicy);
    await expect(managerOf()).rejects.toThrow(
      'could not restore state from checkpoint: [memorymanager] configured policy "Static" differs from state checkpoint policy "None", please drain this node and delete the memory manager checkpoint file "/var/lib/kubelet/memory_manager_state" before restarting Kubelet',
    );
  });

  // Upstream's MarshalCheckpoint wrote these texts.
  test.each([
    '{"policyName":"None","machineState":{},"checksum":4236770233}',
    '{"policyName":"Static","machineState":{"0":{"numberOfAssignments":2,"memoryMap":{"hugepages-1Gi":{"total":5,"systemReserved":0,"allocatable":5,"reserved":0,"free":5},"memory":{"total":1000,"systemReserved":100,"allocatable":900,"reserved":500,"free":400}},"cells":[0,1]},"1":{"numberOfAssignments":0,"memoryMap":{"memory":{"total":1000,"systemReserved":100,"allocatable":900,"reserved":0,"free":900}},"cells":[0,1]}},"entries":{"uid-a":{"c":[{"numaAffinity":[0,1],"type":"memory","size":500}]}},"checksum":2363444070}',
  ])('encodes and decodes the state like upstream: %s', (text) => {
    const { policyName } = JSON.parse(text);
    expect(encodeMemoryState(policyName, decodeMemoryState(Buffer.from(text), policyName))).toBe(text);
    const changed = Buffer.from(text.replace(/"checksum":\d/, '"checksum":'));
    expect(() => decodeMemoryState(changed, policyName)).toThrow('checkpoint is corrupted');
  });

  test('is empty without allocations', () => {
    expect(new MemoryState().blocks({ podUID: 'a', containerName: 'c' })).toBeUndefined();
  });
});

test.each<[string, number, string, string]>([
  [
    'a node that does not exist',
    7,
    '1Gi',
    'the reserved memory configuration references a NUMA node 7 that does not exist on this machine',
  ],
  [
    'another sum',
    0,
    '2Gi',
    'the total amount "2Gi" of type "memory" is not equal to the value "1Gi" determined by Node Allocatable feature',
  ],
])('rejects a reservation with %s', (_name, numaNode, memory, message) => {
  const given = [{ numaNode, limits: new Map([['memory', memory]]) }];
  expect(() => systemReservedMemory(nodes, new Map([['memory', '1Gi']]), given)).toThrow(message);
});

test('rejects a policy without a reservation', () => {
  const none = systemReservedMemory(nodes, new Map(), []);
  expect(() => new StaticMemoryPolicy({ nodes, reserved: none, affinity: { getAffinity: () => affinity } })).toThrow(
    '[memorymanager] you should specify the system reserved memory',
  );
});
