import { systemClock as clock } from '#adapters/clock.ts';
import { connectRuntime, type RuntimeServices } from '#adapters/node/grpc/cri/runtime-services.ts';
import type { Machine } from '#adapters/node/host/machine/machine.ts';
import { FileCheckpoints } from '#adapters/node/host/records/checkpoint-store.ts';
import { manifestsAt } from '#adapters/node/host/records/manifests.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { clientset } from '#lib/client/clientset.ts';
import { usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { VersionResponse } from '#lib/node/cri-api/generated/runtime-v1.ts';
import {
  ACTUATED_PODS_STATE,
  ALLOCATED_PODS_STATE,
  PodResourceState,
} from '#lib/node/kubelet/allocation/pod-resource-state.ts';
import { nodeAllocatableReservation } from '#lib/node/kubelet/cm/node-allocatable.ts';
import type { Runtime } from '#lib/node/kubelet/container/runtime.ts';
import type { NodeEventRecorder } from '#lib/node/kubelet/events/recorder.ts';
import type { ImageGCManager } from '#lib/node/kubelet/images/image-gc-manager.ts';
import { nodeHostIPs } from '#lib/node/kubelet/kubelet-pods/host-ips.ts';
import { RuntimeOperations } from '#lib/node/kubelet/kuberuntime/runtime-operations.ts';
import { NodeMetrics } from '#lib/node/kubelet/metrics/node-metrics.ts';
import { containerRuntimeVersion } from '#lib/node/kubelet/nodestatus/runtime-info.ts';
import type { StatusTrigger } from '#lib/node/kubelet/nodestatus/status-trigger.ts';
import { type KubeletCore, type KubeletRooms, RunKubelet } from '#lib/node/kubelet/run-kubelet.ts';
import { ResourceMetrics } from '#lib/node/kubelet/stats/resource-metrics.ts';
import { VolumeStatsMetrics } from '#lib/node/kubelet/stats/volume-stats-metrics.ts';
import type { NodeConnection } from '../connection.ts';
import { type PodFacts, reservedOf } from '../facts.ts';
import type { Log } from '../log.ts';
import type { ClusterObjects } from '../network/cluster-objects.ts';
import type { AgentOptions } from '../options.ts';
import { partsWithoutRuntime, type ServedParts } from '../server.ts';
import { ApiObjects } from './api-objects.ts';
import { type Care, machineCare } from './care.ts';
import { hostCgroups, type NodeCgroups, nodeCgroups } from './cgroups.ts';
import { type NodeResources, nodeResources, type ResourceView } from './container-manager.ts';
import { nodeReference, type PodContext } from './context.ts';
import { type NodeCSI, nodeCSI } from './csi.ts';
import type { Following } from './following.ts';
import { collectImages, nodeImages } from './images.ts';
import type { NodeObject } from './node-object.ts';
import { logRotation, nodeDNS, nodeProbes, nodeRooms, nodeRuntime, type RoomInputs } from './rooms.ts';
import { RuntimeAnswers } from './runtime-answers.ts';
import { type NodeStats, nodeStats } from './stats.ts';
import { type NodeVolumes, nodeVolumes } from './volumes.ts';

/** Time in ms between attempts to reach the container runtime. */
const RETRY = 5000;
/** Time in ms before a failed pod sync is retried (upstream: backOffPeriod). */
const BACK_OFF = 10_000;

/** Counts this process's calls of the container runtime, over all its connections. */
const operations = new RuntimeOperations(clock);

/** The inputs of the agent's pods. */
export interface PodsInputs {
  readonly options: AgentOptions;
  readonly connection: NodeConnection;
  readonly host: Machine;
  readonly node: NodeObject;
  /** Triggers a status report of the node soon. */
  readonly trigger: StatusTrigger;
  readonly recorder: NodeEventRecorder;
  readonly following: Following;
  readonly objects: ClusterObjects;
  readonly enforcer: PodContext['enforcer'];
  readonly log: Log;
}

/** The pods of a node with its container runtime. */
export interface NodePods {
  readonly served: ServedParts;
  /** The reasons why the node is not ready. Empty once it is ready. */
  errors(): readonly string[];
  /** The facts about pods and their runtime for the node's status. */
  facts(): Promise<PodFacts>;
  /** Called when the Node exists: mirror pods of static pods and the CSINode can be created. */
  registered(): void;
  /** Runs until the signal aborts. Containers continue to run after that. */
  run(signal: AbortSignal): Promise<void>;
}

/** Waits for the container runtime, and composes the pods of the node on it. Undefined if the signal aborts first. */
export async function nodePods(inputs: PodsInputs, signal: AbortSignal): Promise<NodePods | undefined> {
  const { configuration } = inputs.options;
  const { containerRuntimeEndpoint: endpoint, imageServiceEndpoint, runtimeRequestTimeout: timeout } = configuration;
  const observe = (method: string) => operations.begin(method);
  const images = imageServiceEndpoint === '' ? {} : { imageEndpoint: imageServiceEndpoint };
  while (!signal.aborted) {
    try {
      return await composed(inputs, await connectRuntime({ endpoint, timeout, observe, ...images }), signal);
    } catch (error) {
      inputs.log.fault('cannot use the container runtime yet')(error);
      await clock.sleep(RETRY, signal);
    }
  }
  return undefined;
}

async function composed(inputs: PodsInputs, services: RuntimeServices, signal: AbortSignal): Promise<NodePods> {
  const context = await contextOf(inputs, services);
  const { configuration, node } = context;
  const objects = new ApiObjects(context);
  const csi = nodeCSI(context);
  const volumes = await nodeVolumes(context, objects, { csi, volumesInUseChanged: () => inputs.trigger.trigger() });
  await volumes.manager.reconstruct();
  const version = await services.runtime.version({});
  const state = new RuntimeAnswers(services);
  const late: Late = { metrics: [], csi };
  const resources = await nodeResources(
    context,
    nodeAllocatableReservation(reservedOf(configuration), usageOf(node.latest.status.capacity)),
    resourceView(() => must(late.kubelet), inputs.trigger),
  );
  resources.addPluginHandler('CSIPlugin', csi.drivers);
  const images = await nodeImages(context, objects);
  const cgroupManager = await hostCgroups(configuration);
  const states = await resourceStates(context);
  const made = { images: images.manager, runtimeHandlers: () => state.handlers };
  const dns = nodeDNS(context);
  const shared = { context, objects, volumes, dns, resources, cgroupManager, trigger: inputs.trigger };
  const parts = { ...made, ...states, ...shared };
  const kubelet = new RunKubelet({
    ...kubeletOptions(context),
    runtimeStatus: () => state.status(),
    rooms: (core) => roomsOf(parts, core, late),
    runtimeName: version.runtimeName,
  });
  late.kubelet = kubelet;
  const cgroups = must(late.cgroups);
  const keepCgroups = await cgroups.start(signal);
  late.metrics = [...resources.metrics, ...images.metrics];
  late.collector = images.collector(must(late.runtime));
  late.stats = await nodeStats(context, volumes, {
    pod: (uid) => kubelet.podManager.podByUid(uid),
    pods: cgroups.root,
  });
  await resources.start(signal); // last: an earlier failure leaves no socket behind
  return {
    served: servedParts(kubelet, late, context),
    errors: () => errorsOf(kubelet, late),
    registered: () => nodeRegistered(kubelet, csi),
    facts: () =>
      factsOf(kubelet, late, { version, state, volumes, resources, maxImages: configuration.nodeStatusMaxImages }),
    async run(ending) {
      await Promise.all([
        dns.checkLimitsForResolvConf(),
        objects.run(ending),
        kubelet.run(ending),
        resources.run(ending),
        csi.run(ending),
        logRotation(context).run(ending),
        collectImages(context, must(late.collector), ending),
        keepCgroups(),
        must(late.care).run(ending),
      ]);
    },
  };
}

/** Called when the Node exists: mirror pods of static pods and the CSINode can be created. */
function nodeRegistered(kubelet: RunKubelet, { records }: NodeCSI): void {
  kubelet.syncStaticPods();
  records.wake();
}

/** The resources allocated to pods, and those actuated for them. Rejects if a checkpoint cannot be used. */
async function resourceStates({ rootDir }: PodContext): Promise<Pick<RoomInputs, 'allocated' | 'actuated'>> {
  const checkpoints = new FileCheckpoints(rootDir);
  const [allocated, actuated] = await Promise.all([
    PodResourceState.restore(checkpoints, ALLOCATED_PODS_STATE, rootDir),
    PodResourceState.restore(checkpoints, ACTUATED_PODS_STATE, rootDir),
  ]);
  return { allocated, actuated };
}

const kubeletOptions = ({ options, configuration, client, log, node, recorder, following }: PodContext) => ({
  client,
  node: options.node,
  clock,
  random: () => Math.random(),
  recorder,
  pods: following.listWatch('pods', PODS, `spec.nodeName=${options.node}`),
  ...staticPods(configuration),
  report: (message: string, error: unknown) => log.fault(message)(error),
  nodeIPs: options.nodeIPs,
  hostIPs: () => nodeHostIPs(node.latest),
  syncFrequency: configuration.syncFrequency,
  backOffPeriod: BACK_OFF,
});

const errorsOf = ({ runtimeState }: RunKubelet, { care, csi }: Late): string[] => [
  ...runtimeState.runtimeErrors(),
  ...runtimeState.networkErrors(),
  ...(care?.shutdown.fault() === undefined ? [] : [care.shutdown.fault() ?? '']),
  ...(csi.records.fault === undefined ? [] : [csi.records.fault]),
];

interface FactSources {
  readonly version: VersionResponse;
  readonly state: RuntimeAnswers;
  readonly volumes: NodeVolumes;
  readonly resources: NodeResources;
  readonly maxImages: number;
}

const factsOf = async (
  kubelet: RunKubelet,
  late: Late,
  { version, state, volumes, resources, maxImages }: FactSources,
): Promise<PodFacts> => ({
  version: containerRuntimeVersion(version.runtimeName, version),
  errors: errorsOf(kubelet, late),
  runtime: await state.facts(maxImages),
  volumesInUse: volumes.manager.volumesInUse(),
  devices: resources.manager.devicePluginResources(),
  pressures: must(late.care).eviction.pressures(),
});

const staticPods = ({ staticPodPath, fileCheckFrequency: frequency }: PodContext['configuration']) =>
  staticPodPath === '' ? {} : { files: { manifests: () => manifestsAt(staticPodPath), frequency } };

async function contextOf(inputs: PodsInputs, services: RuntimeServices) {
  const { options, connection, host, node, recorder, following, objects, enforcer, log } = inputs;
  const { configuration, rootDir } = options;
  const [machine, { kernelVersion }] = await Promise.all([host.machineInfo(), host.versionInfo()]);
  const client = clientset(connection.client);
  const common = { options, configuration, rootDir, connection, client, host, machine, kernelVersion };
  return { ...common, services, node, recorder, following, objects, enforcer, log } satisfies PodContext;
}

/** Parts that are created with the kubelet but needed by parts created before it. */
interface Late {
  kubelet?: RunKubelet;
  runtime?: Runtime;
  cgroups?: NodeCgroups;
  care?: Care;
  stats?: NodeStats;
  readonly csi: NodeCSI;
  collector?: ImageGCManager;
  probes?: Collector;
  metrics: readonly Collector[];
}

/** Selects every container that is not running, and every sandbox without containers (upstream: DeleteAllUnusedContainers). */
const ALL_DEAD = { allSourcesReady: true, evictTerminated: true, minAge: 0, maxPerPodContainer: 0, maxContainers: -1 };

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is made with the kubelet');
  return value;
}

const resourceView = (kubelet: () => RunKubelet, trigger: StatusTrigger): ResourceView => ({
  activePods: () => kubelet().kubelet.activePods(),
  pods: () => kubelet().podManager.pods(),
  podStatus: (uid) => kubelet().statusManager.podStatus(uid),
  areSourcesReady: () => kubelet().areSourcesReady,
  isPodKnownTerminated: (uid) => kubelet().kubelet.podWorkers.isPodKnownTerminated(uid),
  isPodTerminationRequested: (uid) => kubelet().kubelet.podWorkers.isPodTerminationRequested(uid),
  syncPods: (uids) => kubelet().loop.sync(uids),
  capacityChanged: () => trigger.trigger(),
});

function roomsOf(
  parts: Omit<RoomInputs, 'core' | 'probes' | 'cgroups' | 'care' | 'podStats'> & { readonly trigger: StatusTrigger },
  core: KubeletCore,
  late: Late,
): KubeletRooms {
  const { context, volumes, cgroupManager, resources } = parts;
  const { configuration, recorder, node, log } = context;
  const cgroups = nodeCgroups({
    configuration,
    cgroups: cgroupManager,
    amounts: usageOf(node.latest.status.allocatable),
    recorder,
    node: nodeReference(node.latest),
    hasVolumes: (uid) => volumes.manager.hasPossiblyMountedVolumes(uid),
    hasExclusiveCPUs: (pod) => resources.hasExclusiveCPUs(pod),
    activePods: () => core.activePods(),
    onFault: log.fault('cannot keep the cgroups of pods'),
  });
  const probes = nodeProbes(context, core, { runInContainer: (...args) => must(late.runtime).runInContainer(...args) });
  const care = machineCare({
    context,
    core,
    stats: () => must(late.stats),
    images: () => must(late.collector),
    removeDeadContainers: () => must(late.runtime).garbageCollect(ALL_DEAD),
    waitForUnmount: (pod, signal) => volumes.manager.waitForUnmount(pod, signal),
    conditionsChanged: () => parts.trigger.trigger(),
    areSourcesReady: () => must(late.kubelet).areSourcesReady,
  });
  const podStats: RoomInputs['podStats'] = (uid) => must(late.stats).podCPUAndMemory(uid);
  const inputs = { ...parts, core, probes, cgroups, care, podStats };
  const runtime = nodeRuntime(inputs);
  Object.assign(late, { cgroups, runtime, care, probes });
  return nodeRooms(inputs, runtime);
}

const servedParts = (
  kubelet: RunKubelet,
  late: Late,
  { services, log, options, following }: PodContext,
): ServedParts => ({
  ...partsWithoutRuntime,
  metrics: {
    agent: [
      ...partsWithoutRuntime.metrics.agent,
      operations,
      kubelet.podMetrics,
      following.metrics,
      new NodeMetrics({
        node: options.node,
        runtime: must(late.runtime),
        onFault: log.fault('cannot count the pods that run'),
      }),
      new VolumeStatsMetrics({
        uids: () => kubelet.podManager.pods().map(uidOf),
        storage: must(late.stats).storage,
      }),
      ...must(late.care).metrics,
      ...late.metrics,
    ],
    probes: [must(late.probes)],
    cadvisor: [must(late.stats).cadvisor],
    resource: [
      new ResourceMetrics({
        cpuAndMemory: () => must(late.stats).summary.cpuAndMemory(),
        onFault: log.fault('cannot tell the usage of the node'),
      }),
    ],
  },
  async summary(onlyCPUAndMemory) {
    const { summary } = must(late.stats);
    return onlyCPUAndMemory ? summary.cpuAndMemory() : summary.summary();
  },
  pods: {
    pods: () => kubelet.podManager.pods(),
    podByName: (namespace, name) => kubelet.podManager.podByName(namespace, name),
    podStatus: (uid) => kubelet.statusManager.podStatus(uid),
  },
  runtime: must(late.runtime),
  streaming: services.runtime,
});
