import { beforeEach, describe, expect, test } from 'vitest';
import { ContainerConfig, ContainerState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { MemoryCheckpoints } from '../checkpointmanager/testing.ts';
import { StepClock } from '../testing/step-clock.ts';
import { ContainerManagerLinux, containersOfRuntime, type Devices, isRunningIn } from './container-manager-linux.ts';
import { ContainerMap } from './containermap.ts';
import { CPUManager } from './cpumanager/cpu-manager.ts';
import { machineOf } from './cpumanager/testing.ts';
import { DeviceHealths } from './dra/health.ts';
import { DRAManager } from './dra/manager.ts';
import type { MachineTopology } from './machine-topology.ts';
import { MemoryManager } from './memorymanager/memory-manager.ts';
import { newCPUPolicy, newMemoryPolicy, type ResourcePolicySettings } from './resource-policies.ts';
import { aContainer, aPod, SomePods } from './testing.ts';
import { TopologyManager } from './topologymanager/topology-manager.ts';

const GI = 1024 ** 3;
const NOW = '2026-01-01T00:00:00Z';
const plain = machineOf({ numa: 2, sockets: 2, cores: 2, threads: 2, caches: 0 });
const machine: MachineTopology = { ...plain, nodes: plain.nodes.map((node) => ({ ...node, memory: 8 * GI })) };
const reservation = new Map([
  ['cpu', '500m'],
  ['memory', '1Gi'],
]);
const settings: ResourcePolicySettings = {
  cpuManagerPolicy: 'static',
  cpuManagerPolicyOptions: {},
  reservedSystemCPUs: '',
  memoryManagerPolicy: 'Static',
  reservedMemory: [{ numaNode: 0, limits: new Map([['memory', '1Gi']]) }],
};

let pods: SomePods;
let updates: string[];
let checkpoints: MemoryCheckpoints;

beforeEach(() => {
  pods = new SomePods();
  updates = [];
  checkpoints = new MemoryCheckpoints();
});

const devices: Devices = {
  start: async () => undefined,
  allocate: async () => undefined,
  getTopologyHints: () => new Map(),
  getPodTopologyHints: () => new Map(),
  getCapacity: () => ({ capacity: { 'example.com/gpu': 2 }, allocatable: { 'example.com/gpu': 1 }, removed: [] }),
  getDeviceRunContainerOptions: async () => ({
    envs: [{ name: 'GPU', value: '1' }],
    mounts: [],
    devices: [],
    annotations: { a: 'b' },
    cdiDevices: ['v.com/c=plugin'],
  }),
  updateAllocatedResourcesStatus: (_pod, status) => status,
};

const topologyOf = (policy: string): TopologyManager =>
  new TopologyManager({ policy, scope: 'container', policyOptions: {}, nodes: machine.nodes });

function managerOf(clock = new StepClock()): ContainerManagerLinux {
  const topology = topologyOf('single-numa-node');
  const divided = { machine, reservation, topologyManager: topology };
  const onFault = (error: unknown): void => void updates.push(String(error));
  const common = { checkpoints, directory: '/var/lib/kubelet', pods, onFault };
  return new ContainerManagerLinux({
    topology,
    devices,
    cpus: new CPUManager({
      ...common,
      policy: newCPUPolicy(settings, divided),
      runtime: {
        updateContainerResources: async ({ containerId, linux }) => {
          updates.push(`${containerId} ${linux?.cpusetCpus}`);
          return {};
        },
      },
    }),
    memory: new MemoryManager({ ...common, policy: newMemoryPolicy(settings, divided) }),
    dra: new DRAManager({
      checkpoints,
      pods,
      onFault,
      plugins: { get: () => undefined },
      clients: { client: () => expect.unreachable() },
      resourceClaim: async () => expect.unreachable(),
    }),
    healths: new DeviceHealths({ monotonic: () => 0 }),
    clock,
    applyCDI: async ({ CDIDevices }) => void CDIDevices.splice(0),
    cpuReconcilePeriod: 10_000,
    onFault,
  });
}

const pod = aPod('p', [aContainer('c', { cpu: '2', memory: '1Gi' })]);
const [container] = pod.spec.containers ?? [];
if (container === undefined) throw new Error('the pod has a container');

test('allocates CPUs and memory of one node to a pod and sets them when its container is created', async () => {
  const manager = managerOf();
  await manager.start(new ContainerMap());
  pods.pods = [pod];
  expect(await manager.admitHandler.admit(pod, [])).toEqual({ admit: true });
  const config = ContainerConfig.fromPartial({ linux: { resources: {} }, CDIDevices: [{ name: 'v.com/c=d' }] });
  await manager.preCreateContainer(pod, container, config);
  expect(config.linux?.resources).toMatchObject({ cpusetCpus: '1,5', cpusetMems: '0' });
  expect(config.CDIDevices).toEqual([]);
  manager.preStartContainer(pod, container, 'id');
  manager.postStopContainer('id');
  expect(manager.containerHasExclusiveCPUs(pod, container)).toBe(true);
});

test('rejects a pod that fits on no node', async () => {
  const manager = managerOf();
  await manager.start(new ContainerMap());
  const large = aPod('l', [aContainer('c', { cpu: '5', memory: '1Gi' })]);
  expect(await manager.admitHandler.admit(large, [])).toMatchObject({ admit: false, reason: 'TopologyAffinityError' });
});

test('provides a container with the settings of plugins and claims', async () => {
  const manager = managerOf();
  await manager.start(new ContainerMap());
  expect(await manager.resources(pod, container)).toMatchObject({
    envs: [{ name: 'GPU', value: '1' }],
    cdiDevices: ['v.com/c=plugin'],
    annotations: { a: 'b' },
  });
  expect(manager.devicePluginResources().allocatable).toEqual({ 'example.com/gpu': 1 });
});

test('reconciles the CPUs of running containers until the signal aborts', async () => {
  const stop = new AbortController();
  const manager = managerOf(new StepClock((sleeps) => (sleeps > 3 ? stop.abort() : undefined)));
  await manager.start(new ContainerMap());
  pods.pods = [aPod('s', [{ name: 'c', resources: {} }])];
  const state = {
    state: { running: { startedAt: NOW } },
    lastState: {},
    ready: true,
    restartCount: 0,
    image: '',
    imageID: '',
  };
  pods.statuses.set('s', { containerStatuses: [{ name: 'c', containerID: 'containerd://x', ...state }] });
  await manager.run(stop.signal);
  expect(updates).toEqual(['x 0-7']);
});

test('fails to start with an unusable state', async () => {
  checkpoints.put('memory_manager_state', '{"policyName":"None","machineState":{},"checksum":0}');
  await expect(managerOf().start(new ContainerMap())).rejects.toThrow(
    'start memory manager error: could not restore state from checkpoint: ',
  );
});

describe('policies of resource managers', () => {
  const divided = { machine, reservation, topologyManager: topologyOf('single-numa-node') };
  const alpha = { optionGates: { alpha: true, beta: true } };

  test.each<[Partial<ResourcePolicySettings>, string]>([
    [{ cpuManagerPolicy: 'dynamic' }, 'unknown policy: "dynamic"'],
    [
      { cpuManagerPolicyOptions: { 'align-by-socket': 'true' }, ...alpha },
      'Topolgy manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option',
    ],
    [{ memoryManagerPolicy: 'BestEffort' }, 'policy "BestEffort" is not available for platform "linux"'],
    [{ memoryManagerPolicy: 'static' }, 'unknown policy: "static"'],
  ])('rejects %o with: %s', (changed, message) => {
    const given = { ...settings, ...changed };
    expect(() => [newCPUPolicy(given, divided), newMemoryPolicy(given, divided)]).toThrow(message);
  });

  test.each([
    [new Map(), '[cpumanager] unable to determine reserved CPU resources for static policy'],
    [
      new Map([['cpu', '0']]),
      '[cpumanager] the static policy requires systemreserved.cpu + kubereserved.cpu to be greater than zero',
    ],
  ])('rejects the static CPU policy without a reservation', (without, message) => {
    expect(() => newCPUPolicy(settings, { ...divided, reservation: without })).toThrow(message);
  });

  test('creates policies without effect if nothing is configured', () => {
    const nothing = { ...settings, cpuManagerPolicy: 'none', memoryManagerPolicy: 'None', reservedMemory: [] };
    expect([newCPUPolicy(nothing, divided).name, newMemoryPolicy(nothing, divided).name]).toEqual(['none', 'None']);
  });
});

test("identifies the runtime's containers by their sandboxes", async () => {
  const runtime = {
    listPodSandbox: async () => ({
      items: [
        {
          id: 's',
          metadata: { name: 'p', uid: 'u', namespace: 'n', attempt: 0 },
          state: 0 as const,
          createdAt: 0n,
          labels: {},
          annotations: {},
          runtimeHandler: '',
        },
      ],
    }),
    listContainers: async () => ({
      containers: [
        { id: 'before', podSandboxId: 's', state: ContainerState.CONTAINER_EXITED },
        { id: 'one', podSandboxId: 's', state: ContainerState.CONTAINER_RUNNING },
        { id: 'two', podSandboxId: 'gone', state: ContainerState.CONTAINER_EXITED },
      ].map((one) => ({
        ...one,
        metadata: { name: 'c', attempt: 0 },
        image: undefined,
        imageRef: '',
        imageId: '',
        createdAt: 0n,
        labels: {},
        annotations: {},
      })),
    }),
  };
  const found = await containersOfRuntime(runtime);
  const { containers, running } = found;
  expect(containers.containerRef('one')).toEqual({ podUID: 'u', containerName: 'c' });
  expect(containers.refs()).toHaveLength(2);
  expect([...running]).toEqual(['one']);
  expect(isRunningIn(found, { podUID: 'u', containerName: 'c' })).toBe(true); // though its first attempt has ended
  expect(isRunningIn(found, { podUID: 'u', containerName: 'other' })).toBe(false);
});
