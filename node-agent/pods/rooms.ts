import { randomBytes } from 'node:crypto';
import { systemClock as clock } from '#adapters/clock.ts';
import { hostContainerFiles } from '#adapters/node/host/containers/container-files.ts';
import { LogFolder } from '#adapters/node/host/containers/log-file.ts';
import { PodHostFiles } from '#adapters/node/host/containers/pod-host-files.ts';
import { rotatedLogs } from '#adapters/node/host/containers/rotated-logs.ts';
import { grpcProber } from '#adapters/node/probe/grpc.ts';
import { httpProber } from '#adapters/node/probe/http.ts';
import { tcpProber } from '#adapters/node/probe/tcp.ts';
import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { RuntimeHandler } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { podResizesAdmitHandler } from '#lib/node/kubelet/allocation/pod-resizes.ts';
import type { PodResourceState } from '#lib/node/kubelet/allocation/pod-resource-state.ts';
import type { CgroupManager } from '#lib/node/kubelet/cm/cgroup/cgroup-manager.ts';
import type { PodMemoryUsage, Runtime } from '#lib/node/kubelet/container/runtime.ts';
import type { ImageManager } from '#lib/node/kubelet/images/image-manager.ts';
import type { KubeletCore } from '#lib/node/kubelet/kubelet-core.ts';
import type { ConfigSettings } from '#lib/node/kubelet/kuberuntime/config-settings.ts';
import { crashLoopBackoff } from '#lib/node/kubelet/kuberuntime/do-backoff.ts';
import { RuntimeManager } from '#lib/node/kubelet/kuberuntime/runtime-manager.ts';
import { swapBehavior } from '#lib/node/kubelet/kuberuntime/swap.ts';
import { appArmorAdmitHandler } from '#lib/node/kubelet/lifecycle/apparmor.ts';
import { LifecycleHandlers } from '#lib/node/kubelet/lifecycle/handlers.ts';
import { predicateAdmitHandler } from '#lib/node/kubelet/lifecycle/predicate.ts';
import { ContainerLogRotation } from '#lib/node/kubelet/logs/container-log-rotation.ts';
import { DNSConfigurer } from '#lib/node/kubelet/network/dns/configurer.ts';
import { killPodNow } from '#lib/node/kubelet/podworkers/kill-pod-now.ts';
import { preemptFor } from '#lib/node/kubelet/preemption/preemption.ts';
import { ContainerProbes } from '#lib/node/kubelet/prober/container-probes.ts';
import type { KubeletRooms } from '#lib/node/kubelet/run-kubelet.ts';
import { KubeletRuntimeHelper } from '#lib/node/kubelet/runtime-helper.ts';
import { supportsRecursiveReadOnly } from '#lib/node/kubelet/runtimeclass/recursive-read-only.ts';
import { setSandboxReady } from '#lib/node/kubelet/status/sandbox-ready.ts';
import { SysctlAllowlist } from '#lib/node/kubelet/sysctl/allowlist.ts';
import { safeSysctls } from '#lib/node/kubelet/sysctl/safe-sysctls.ts';
import { podObjects } from '#lib/node/kubelet/volumemanager/volume-objects.ts';
import type { ApiObjects } from './api-objects.ts';
import type { Care } from './care.ts';
import type { NodeCgroups } from './cgroups.ts';
import type { NodeResources } from './container-manager.ts';
import { nodeReference, type PodContext } from './context.ts';
import { configSettings, hasAppArmor } from './settings.ts';
import type { NodeStats } from './stats.ts';
import type { NodeVolumes } from './volumes.ts';

/** The inputs from which a node's container runtime is created. */
export interface RoomInputs {
  readonly context: PodContext;
  readonly objects: ApiObjects;
  readonly volumes: NodeVolumes;
  readonly dns: DNSConfigurer;
  readonly images: ImageManager;
  readonly resources: NodeResources;
  readonly cgroupManager: CgroupManager;
  readonly cgroups: NodeCgroups;
  readonly probes: ContainerProbes;
  readonly core: KubeletCore;
  readonly stats: Pick<NodeStats, 'podCPUAndMemory'>;
  /** Runs commands in containers. */
  readonly commands: Pick<Runtime, 'runInContainer'>;
  /** The resources actuated for pods. */
  readonly actuated: PodResourceState;
  runtimeHandlers(): readonly RuntimeHandler[];
}

/** The probes of containers. */
export const nodeProbes = (
  context: PodContext,
  core: KubeletCore,
  runtime: Pick<Runtime, 'runInContainer'>,
): ContainerProbes =>
  new ContainerProbes({
    http: httpProber,
    tcp: tcpProber,
    grpc: grpcProber,
    runtime,
    events: context.recorder,
    clock,
    random: () => Math.random(),
    podStatus: (uid) => core.statusManager.podStatus(uid),
    updated: (update) => core.events.probe(update),
  });

/** The kubelet's container runtime, with its dependencies on the node. */
export function nodeRuntime(inputs: RoomInputs): RuntimeManager {
  const { context, objects, images, resources, probes, commands, core, cgroups, actuated } = inputs;
  const { configuration, services, recorder, log, enforcer } = context;
  const logs = new LogFolder(configuration.podLogsDir);
  const manager: RuntimeManager = new RuntimeManager({
    clock,
    runtime: services.runtime,
    imageService: services.images,
    images,
    helper: runtimeHelper(inputs),
    settings: settingsOf(inputs),
    files: hostContainerFiles,
    logs,
    logRotation: logRotation(context),
    recorder,
    hooks: new LifecycleHandlers({
      clock,
      runtime: commands,
      http: httpProber,
      events: recorder,
      podIPs: async ({ metadata: { uid = '', name = '', namespace = '' } }) =>
        (await manager.podStatus(uid, name, namespace)).ips,
    }),
    probes,
    containerManager: resources.manager,
    podState: core.podWorkers,
    podCgroups: cgroups,
    actuated,
    lookupRuntimeHandler: (name) => objects.runtimeClasses.lookupRuntimeHandler(name),
    ...(enforcer !== undefined && { admitNetwork: (...args) => enforcer.admit(...args) }),
    randomUint32: () => randomBytes(4).readUInt32LE(),
    report: (message, error) => log.fault(message)(error),
    backoff: crashLoopBackoff(clock, configuration.crashLoopBackOff.maxContainerRestartPeriod),
  });
  return manager;
}

const settingsOf = ({ context, resources, cgroupManager }: RoomInputs): ConfigSettings => ({
  ...configSettings(context.configuration, context.rootDir, context.machine, cgroupManager),
  hasExclusiveCPUs: (pod, container) => resources.hasExclusiveCPUs(pod, container),
});

/** Limits the size of container logs. */
export function logRotation({ configuration, services, log }: PodContext): ContainerLogRotation {
  const policy = {
    maxSize: Number(wholeValue(configuration.containerLogMaxSize)),
    maxFiles: configuration.containerLogMaxFiles,
    interval: configuration.containerLogMonitorInterval,
  };
  const onFault = log.fault('cannot rotate the log of a container');
  const ports = { root: configuration.podLogsDir, clock, files: rotatedLogs, runtime: services.runtime, onFault };
  return new ContainerLogRotation(policy, ports);
}

/** The DNS settings of pods. */
export function nodeDNS({ configuration, options, node, recorder }: PodContext): DNSConfigurer {
  const { clusterDomain, clusterDNS, resolvConf: resolverConfig } = configuration;
  const about = nodeReference(node.latest);
  const settings = { node: about, nodeIPs: options.nodeIPs, clusterDNS, clusterDomain, resolverConfig };
  const files = new PodHostFiles();
  return new DNSConfigurer(settings, {
    recorder,
    read: async (path) => Buffer.from(await files.read(path)).toString(),
  });
}

function runtimeHelper({
  context,
  objects,
  volumes,
  dns,
  resources,
  cgroups,
  core,
  runtimeHandlers,
  stats,
}: RoomInputs): KubeletRuntimeHelper {
  const { configuration, options, rootDir, node } = context;
  const files = new PodHostFiles();
  const { clusterDomain } = configuration;
  return new KubeletRuntimeHelper({
    rootDirectory: rootDir,
    clusterDomain,
    nodeIPs: options.nodeIPs,
    objects: {
      node: () => node.latest,
      runtimeHandler: (name) => objects.runtimeClasses.lookupRuntimeHandler(name),
      configMap: (namespace, name) => objects.configMap(namespace, name),
      secret: (namespace, name) => objects.secret(namespace, name),
      services: () => objects.services(),
    },
    rooms: {
      volumes: volumes.manager,
      containers: resources.manager,
      dns,
      cgroupParent: (pod) => cgroups.parentOf(pod),
      runtimeHandlers,
      podMemoryUsage: (pod) => podMemoryUsage(pod, { stats, cgroups }),
      requestPodReinspect: (uid) => void core.toReinspect.add(uid),
      podSandboxReady: async (pod) => setSandboxReady(core.statusManager, pod),
    },
    files,
    subpaths: volumes.subpaths,
  });
}

/** Creates the kubelet's parts for a node's pods from the machine and its container runtime. */
export function nodeRooms(inputs: RoomInputs, runtime: Runtime, care: Care): KubeletRooms {
  const { context, objects, volumes, resources, cgroups, probes, core } = inputs;
  const settings = settingsOf(inputs);
  const { configuration, recorder, node, kernelVersion } = context;
  const killPod = (pod: Pod, podStatus: (status: PodStatus) => void): Promise<void> =>
    killPodNow({ podWorkers: core.podWorkers, recorder, clock }, pod, { evict: true, podStatus });
  return {
    runtime,
    volumeManager: volumes.manager,
    probeManager: probes,
    cgroups,
    folders: volumes.folders,
    objects: podObjects(objects),
    admitHandlers: [
      podResizesAdmitHandler({
        allocated: core.allocated,
        cpuManagerPolicy: configuration.cpuManagerPolicy,
        memoryManagerPolicy: configuration.memoryManagerPolicy,
        hasSwap: (pod, container) => swapBehavior(pod, container, settings) !== 'NoSwap',
      }),
      care.shutdown,
      care.eviction,
      new SysctlAllowlist([...safeSysctls(kernelVersion), ...configuration.allowedUnsafeSysctls]),
      resources.manager.admitHandler, // assigns devices before the next handler counts them
      predicateAdmitHandler({
        node: async (isFresh) => (isFresh ? node.fresh() : node.latest),
        updatePluginResources: (one, pod) => resources.updatePluginResources(one, pod),
        handleFailure: (pod, failures) =>
          preemptFor({ pods: () => core.allocatedPods(), killPod, recorder, clock }, pod, failures),
      }),
      appArmorAdmitHandler(hasAppArmor()),
    ],
    supportsRecursiveReadOnly: (pod) =>
      supportsRecursiveReadOnly(pod, {
        runtimeHandler: (name) => objects.runtimeClasses.lookupRuntimeHandler(name),
        runtimeHandlers: inputs.runtimeHandlers,
      }),
    updateAllocatedResourcesStatus: (pod, status) => resources.manager.updateAllocatedResourcesStatus(pod, status),
    unprepareDynamicResources: (pod) => resources.manager.unprepareDynamicResources(pod),
  };
}

/** The memory usage of a pod from its cgroup, and of its containers from the runtime. */
async function podMemoryUsage(
  pod: Pod,
  { stats, cgroups }: Pick<RoomInputs, 'stats' | 'cgroups'>,
): Promise<PodMemoryUsage> {
  const [measured, own] = await Promise.all([stats.podCPUAndMemory(uidOf(pod)), cgroups.memoryUsage(pod)]);
  const bytes = (value: number | bigint | undefined): bigint | undefined =>
    value === undefined ? undefined : BigInt(value);
  return {
    pod: bytes(own ?? measured?.memory?.usageBytes),
    containers: new Map((measured?.containers ?? []).map(({ name, memory }) => [name, bytes(memory?.usageBytes)])),
  };
}
