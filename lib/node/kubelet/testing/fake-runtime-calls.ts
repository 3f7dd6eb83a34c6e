import { defined } from '#lib/machinery/defined.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import {
  Container,
  ContainerState,
  ContainerStatus,
  CreateContainerRequest,
  ExecSyncResponse,
  LinuxContainerResources,
  ListContainersRequest,
  ListPodSandboxRequest,
  PodSandbox,
  PodSandboxState,
  PodSandboxStatus,
  RunPodSandboxRequest,
  StatusResponse,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import type { FakeContainer, FakeContainers, FakeSandbox } from './fake-containers.ts';

/** Executes a call of the connection, unless the process is killed or a fault applies. */
export type Caller = <T>(method: string, work: () => T | Promise<T>) => Promise<T>;

/** A runtime service for in-memory containers. Methods that no test needs yet are Unimplemented. */
export function runtimeService(world: FakeContainers, call: Caller): RuntimeService {
  return {
    ...sandboxCalls(world, call),
    ...containerCalls(world, call),
    ...runningCalls(world, call),
    ...otherCalls(call),
  };
}

type SandboxCall =
  | 'runPodSandbox'
  | 'stopPodSandbox'
  | 'removePodSandbox'
  | 'podSandboxStatus'
  | 'listPodSandbox'
  | 'updatePodSandboxResources';

function sandboxCalls(world: FakeContainers, call: Caller): Pick<RuntimeService, SandboxCall> {
  return {
    runPodSandbox: (request) =>
      call('runPodSandbox', () => {
        const { config, runtimeHandler } = RunPodSandboxRequest.fromPartial(request);
        if (config === undefined) throw new RpcError('InvalidArgument', 'no config');
        return { podSandboxId: world.addSandbox(config, runtimeHandler).id };
      }),
    stopPodSandbox: ({ podSandboxId = '' }) =>
      call('stopPodSandbox', () => {
        const sandbox = world.sandboxes.get(podSandboxId);
        if (sandbox !== undefined) world.stopSandbox(sandbox);
        return {};
      }),
    removePodSandbox: ({ podSandboxId = '' }) =>
      call('removePodSandbox', () => {
        const sandbox = world.sandboxes.get(podSandboxId);
        if (sandbox?.state === PodSandboxState.SANDBOX_READY)
          throw new RpcError('Unknown', `sandbox container "${podSandboxId}" is not fully stopped`);
        if (sandbox !== undefined) world.removeSandbox(sandbox);
        return {};
      }),
    podSandboxStatus: ({ podSandboxId = '' }) =>
      call('podSandboxStatus', () => {
        const sandbox = world.sandboxes.get(podSandboxId);
        if (sandbox === undefined) throw notFound('sandbox', podSandboxId);
        return { status: statusOfSandbox(sandbox), info: {}, containersStatuses: [], timestamp: 0n };
      }),
    listPodSandbox: (request) =>
      call('listPodSandbox', () => {
        const { filter } = ListPodSandboxRequest.fromPartial(request);
        const items = [...world.sandboxes.values()].filter(
          ({ id, state, config }) =>
            isWanted(filter?.id, id) &&
            (filter?.state === undefined || filter.state.state === state) &&
            hasLabels(config.labels, filter?.labelSelector),
        );
        return { items: items.map((one) => PodSandbox.fromPartial(partsOfSandbox(one))) };
      }),
    updatePodSandboxResources: () => call('updatePodSandboxResources', unimplemented),
  };
}

type ContainerCall =
  | 'createContainer'
  | 'startContainer'
  | 'stopContainer'
  | 'removeContainer'
  | 'listContainers'
  | 'containerStatus';

function containerCalls(world: FakeContainers, call: Caller): Pick<RuntimeService, ContainerCall> {
  return {
    createContainer: (request) =>
      call('createContainer', () => {
        const { podSandboxId, config } = CreateContainerRequest.fromPartial(request);
        const sandbox = world.sandboxes.get(podSandboxId);
        if (sandbox === undefined) throw notFound('sandbox', podSandboxId);
        if (config === undefined) throw new RpcError('InvalidArgument', 'no config');
        return { containerId: world.addContainer(sandbox, config).id };
      }),
    startContainer: ({ containerId }) =>
      call('startContainer', () => {
        world.start(known(world, containerId));
        return {};
      }),
    stopContainer: ({ containerId, timeout = 0n }) =>
      call('stopContainer', async () => {
        await world.stop(known(world, containerId), Number(timeout));
        return {};
      }),
    removeContainer: ({ containerId = '' }) =>
      call('removeContainer', () => {
        const container = world.containers.get(containerId);
        if (container?.state === ContainerState.CONTAINER_RUNNING) world.exit(container, { exitCode: 137 });
        world.containers.delete(containerId);
        return {};
      }),
    listContainers: (request) =>
      call('listContainers', () => {
        const { filter } = ListContainersRequest.fromPartial(request);
        const containers = [...world.containers.values()].filter(
          ({ id, state, sandbox, config }) =>
            isWanted(filter?.id, id) &&
            isWanted(filter?.podSandboxId, sandbox.id) &&
            (filter?.state === undefined || filter.state.state === state) &&
            hasLabels(config.labels, filter?.labelSelector),
        );
        return { containers: containers.map((one) => Container.fromPartial(partsOfContainer(one))) };
      }),
    containerStatus: ({ containerId }) =>
      call('containerStatus', () => ({ status: statusOfContainer(known(world, containerId)), info: {} })),
  };
}

type RunningCall = 'updateContainerResources' | 'reopenContainerLog' | 'execSync';

function runningCalls(world: FakeContainers, call: Caller): Pick<RuntimeService, RunningCall> {
  return {
    updateContainerResources: ({ containerId, linux }) =>
      call('updateContainerResources', () => {
        known(world, containerId).resources = LinuxContainerResources.fromPartial(linux ?? {});
        return {};
      }),
    reopenContainerLog: ({ containerId }) =>
      call('reopenContainerLog', () => {
        known(world, containerId);
        return {};
      }),
    execSync: ({ containerId, cmd = [] }) =>
      call('execSync', () => {
        const container = known(world, containerId);
        if (container.state !== ContainerState.CONTAINER_RUNNING)
          throw new RpcError('Unknown', `container is in ${container.state} state`);
        const { exitCode = 0, stdout = '', stderr = '' } = container.script.exec?.(cmd) ?? {};
        return ExecSyncResponse.fromPartial({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) });
      }),
  };
}

function otherCalls(call: Caller): Omit<RuntimeService, SandboxCall | ContainerCall | RunningCall> {
  const unary = (method: string) => (): Promise<never> => call(method, unimplemented);
  const stream = (method: string) => (): AsyncIterable<never> => ({
    [Symbol.asyncIterator]: () => ({ next: unary(method) }),
  });
  return {
    version: () =>
      call('version', () => ({
        version: '0.1.0',
        runtimeName: 'containerd',
        runtimeVersion: 'v1.6.20',
        runtimeApiVersion: 'v1',
      })),
    status: () =>
      call('status', () => {
        const conditions = ['RuntimeReady', 'NetworkReady'].map((type) => ({ type, status: true }));
        return StatusResponse.fromPartial({ status: { conditions } });
      }),
    updateRuntimeConfig: () => call('updateRuntimeConfig', () => ({})),
    streamPodSandboxes: stream('streamPodSandboxes'),
    streamContainers: stream('streamContainers'),
    exec: unary('exec'),
    attach: unary('attach'),
    portForward: unary('portForward'),
    containerStats: unary('containerStats'),
    listContainerStats: unary('listContainerStats'),
    streamContainerStats: stream('streamContainerStats'),
    podSandboxStats: unary('podSandboxStats'),
    listPodSandboxStats: unary('listPodSandboxStats'),
    streamPodSandboxStats: stream('streamPodSandboxStats'),
    checkpointContainer: unary('checkpointContainer'),
    getContainerEvents: stream('getContainerEvents'),
    listMetricDescriptors: unary('listMetricDescriptors'),
    listPodSandboxMetrics: unary('listPodSandboxMetrics'),
    streamPodSandboxMetrics: stream('streamPodSandboxMetrics'),
    runtimeConfig: unary('runtimeConfig'),
  };
}

const partsOfSandbox = ({ id, state, createdAt, config, runtimeHandler }: FakeSandbox) => ({
  id,
  state,
  createdAt,
  runtimeHandler,
  ...defined({ metadata: config.metadata }),
  labels: config.labels,
  annotations: config.annotations,
});

function statusOfSandbox(sandbox: FakeSandbox): PodSandboxStatus {
  const options = sandbox.config.linux?.securityContext?.namespaceOptions;
  return PodSandboxStatus.fromPartial({
    ...partsOfSandbox(sandbox),
    network: { ip: sandbox.state === PodSandboxState.SANDBOX_READY ? sandbox.ip : '' },
    linux: { namespaces: defined({ options }) },
  });
}

const partsOfContainer = ({ id, state, createdAt, config, sandbox }: FakeContainer) => ({
  id,
  state,
  createdAt,
  podSandboxId: sandbox.id,
  ...defined({ metadata: config.metadata, image: config.image }),
  imageRef: config.image?.image ?? '',
  labels: config.labels,
  annotations: config.annotations,
});

function statusOfContainer(container: FakeContainer): ContainerStatus {
  const { startedAt, finishedAt, exitCode, reason, message, config, sandbox, resources } = container;
  const logPath = `${sandbox.config.logDirectory}/${config.logPath}`;
  return ContainerStatus.fromPartial({
    ...partsOfContainer(container),
    startedAt,
    finishedAt,
    exitCode,
    reason,
    message,
    logPath,
    mounts: config.mounts,
    resources: defined({ linux: resources }),
  });
}

function known({ containers }: FakeContainers, id = ''): FakeContainer {
  const container = containers.get(id);
  if (container === undefined) throw notFound('container', id);
  return container;
}

const hasLabels = (
  labels: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>> | undefined,
): boolean => Object.entries(wanted ?? {}).every(([name, value]) => labels[name] === value);

const notFound = (kind: string, id: string): RpcError =>
  new RpcError('NotFound', `an error occurred when try to find ${kind} "${id}": not found`);

function unimplemented(): never {
  throw new RpcError('Unimplemented', 'unknown method');
}

const isWanted = (wanted: string | undefined, id: string): boolean =>
  wanted === undefined || wanted === '' || wanted === id;
