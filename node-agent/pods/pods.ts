import { systemClock as clock } from '#adapters/clock.ts';
import { connectRuntime, type RuntimeServices } from '#adapters/node/grpc/cri/runtime-services.ts';
import type { Machine } from '#adapters/node/host/machine/machine.ts';
import { FileCheckpoints } from '#adapters/node/host/records/checkpoint-store.ts';
import { manifestsAt } from '#adapters/node/host/records/manifests.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { clientset } from '#lib/client/clientset.ts';
import { type Usage, usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import {
  ACTUATED_PODS_STATE,
  ALLOCATED_PODS_STATE,
  PodResourceState,
} from '#lib/node/kubelet/allocation/pod-resource-state.ts';
import { nodeAllocatableReservation } from '#lib/node/kubelet/cm/node-allocatable.ts';
import { PodStatusCache } from '#lib/node/kubelet/container/cache.ts';
import type { NodeEventRecorder } from '#lib/node/kubelet/events/recorder.ts';
import { KubeletCore, type KubeletCoreOptions } from '#lib/node/kubelet/kubelet-core.ts';
import { nodeHostIPs } from '#lib/node/kubelet/kubelet-pods/host-ips.ts';
import { commandRunner } from '#lib/node/kubelet/kuberuntime/run-in-container.ts';
import { RuntimeOperations } from '#lib/node/kubelet/kuberuntime/runtime-operations.ts';
import { containerRuntimeVersion } from '#lib/node/kubelet/nodestatus/runtime-info.ts';
import type { StatusTrigger } from '#lib/node/kubelet/nodestatus/status-trigger.ts';
import { podSources, RunKubelet, type RunKubeletOptions } from '#lib/node/kubelet/run-kubelet.ts';
import type { NodeConnection } from '../connection.ts';
import { type PodFacts, reservedOf } from '../facts.ts';
import type { Log } from '../log.ts';
import type { ClusterObjects } from '../network/cluster-objects.ts';
import type { AgentOptions } from '../options.ts';
import type { ServedParts } from '../server.ts';
import { ApiObjects } from './api-objects.ts';
import { type Care, machineCare } from './care.ts';
import { hostCgroups, type NodeCgroups, nodeCgroups } from './cgroups.ts';
import { nodeResources, type ResourceView } from './container-manager.ts';
import { nodeReference, type PodContext } from './context.ts';
import { type NodeCSI, nodeCSI } from './csi.ts';
import type { Following } from './following.ts';
import { collectImages, nodeImages } from './images.ts';
import type { NodeObject } from './node-object.ts';
import { logRotation, nodeDNS, nodeProbes, nodeRooms, nodeRuntime, type RoomInputs } from './rooms.ts';
import { RuntimeAnswers } from './runtime-answers.ts';
import { servedParts } from './served.ts';
import { nodeStats, type StatsInputs } from './stats.ts';
import { nodeVolumes } from './volumes.ts';

/** Time in ms between attempts to reach the container runtime. */
const RETRY = 5000;
/** Time in ms before a failed pod sync is retried (upstream: backOffPeriod). */
const BACK_OFF = 10_000;

/** Counts this process's calls to the container runtime, over all its connections. */
const operations = new RuntimeOperations(clock);

/** The inputs of the agent's pods. */
export interface PodsInputs {
  readonly options: AgentOptions;
  readonly connection: NodeConnection;
  readonly host: Machine;
  readonly node: NodeObject;
  /** Triggers a status report of the node after a short delay. */
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
  /** The reasons why the node is not ready. Empty if it is ready. */
  errors(): readonly string[];
  /** The facts about pods and their runtime for the node's status. */
  facts(): Promise<PodFacts>;
  /** Called when the Node exists. Mirror pods of static pods and the CSINode can then be created. */
  registered(): void;
  /** Runs until the signal aborts. Containers continue to run after that. */
  run(signal: AbortSignal): Promise<void>;
}

/** Waits for the container runtime and then creates the pods of the node. Undefined if the signal aborts first. */
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

/** Creates the pods, and starts the parts that other programs connect to. */
async function composed(inputs: PodsInputs, services: RuntimeServices, signal: AbortSignal): Promise<NodePods> {
  const host = await hostParts(await contextOf(inputs, services), inputs.trigger);
  const parts = await kubeletParts(host, inputs.trigger);
  const { context, volumes, images, version, state } = host;
  const { kubelet, care, resources, cgroups } = parts;
  const keepCgroups = await cgroups.start(signal);
  await resources.start(signal); // last: if an earlier step fails, no socket remains
  const errors = (): string[] => errorsOf(kubelet, care, host.csi);
  const metrics = [operations, ...care.metrics, ...resources.metrics, ...images.metrics];
  return {
    served: servedParts({ context, ...parts, metrics }),
    errors,
    registered: () => nodeRegistered(kubelet, host.csi),
    facts: async () => ({
      version: containerRuntimeVersion(version.runtimeName, version),
      errors: errors(),
      runtime: await state.facts(context.configuration.nodeStatusMaxImages),
      volumesInUse: volumes.manager.volumesInUse(),
      devices: resources.manager.devicePluginResources(),
      pressures: care.eviction.pressures(),
    }),
    async run(ending) {
      await Promise.all([
        host.dns.checkLimitsForResolvConf(),
        host.objects.run(ending),
        kubelet.run(ending),
        resources.run(ending),
        host.csi.run(ending),
        logRotation(context).run(ending),
        collectImages(context, parts.imageGC, ending),
        keepCgroups(),
        care.run(ending),
      ]);
    },
  };
}

/** Creates the parts that depend on the machine and its container runtime, but not on the node's pods. */
async function hostParts(context: PodContext, trigger: StatusTrigger) {
  const objects = new ApiObjects(context);
  const csi = nodeCSI(context);
  const volumes = await nodeVolumes(context, objects, { csi, volumesInUseChanged: () => trigger.trigger() });
  await volumes.manager.reconstruct();
  const version = await context.services.runtime.version({});
  return {
    context,
    objects,
    csi,
    volumes,
    version,
    state: new RuntimeAnswers(context.services),
    ...(await resourceStates(context)),
    images: await nodeImages(context, objects),
    cgroupManager: await hostCgroups(context.configuration),
    commands: commandRunner(context.services.runtime),
    dns: nodeDNS(context),
  };
}

/**
 * Creates the kubelet and its parts. Each part depends on earlier ones, except `syncer`: the pod workers sync pods with later parts, which
 * in turn query the workers. The first sync happens after all parts exist.
 */
async function kubeletParts(host: Awaited<ReturnType<typeof hostParts>>, trigger: StatusTrigger) {
  const { context, volumes, state } = host;
  const options = kubeletOptions(context, { state, runtimeName: host.version.runtimeName });
  const core = kubeletCore(options, { allocated: host.allocated, syncer: () => kubelet.syncer });
  const resources = await nodeResources(context, reservation(context), resourceView(core, trigger));
  resources.addPluginHandler('CSIPlugin', host.csi.drivers);
  const cgroups = podCgroups({ ...host, core, resources });
  const pod: StatsInputs['pod'] = (uid) => core.podManager.podByUid(uid);
  const stats = await nodeStats(context, volumes, { pod, pods: cgroups.root });
  const probes = nodeProbes(context, core, host.commands);
  const managers = { images: host.images.manager, runtimeHandlers: () => state.handlers };
  const inputs: RoomInputs = { ...host, ...managers, core, resources, cgroups, stats, probes };
  const runtime = nodeRuntime(inputs);
  const imageGC = host.images.collector(runtime);
  const care = machineCare({
    context,
    core,
    stats,
    images: imageGC,
    removeDeadContainers: () => runtime.garbageCollect(ALL_DEAD),
    waitForUnmount: (one, signal) => volumes.manager.waitForUnmount(one, signal),
    conditionsChanged: () => trigger.trigger(),
  });
  const kubelet: RunKubelet = new RunKubelet(options, core, nodeRooms(inputs, runtime, care));
  return { core, resources, cgroups, stats, probes, runtime, imageGC, care, kubelet };
}

/** Called when the Node exists. Mirror pods of static pods and the CSINode can then be created. */
function nodeRegistered(kubelet: RunKubelet, { records }: NodeCSI): void {
  kubelet.syncStaticPods();
  records.wake();
}

/** The resources allocated to pods, and those actuated for them. Rejects if a checkpoint is invalid. */
async function resourceStates({ rootDir }: PodContext): Promise<Record<'allocated' | 'actuated', PodResourceState>> {
  const checkpoints = new FileCheckpoints(rootDir);
  const [allocated, actuated] = await Promise.all([
    PodResourceState.restore(checkpoints, ALLOCATED_PODS_STATE, rootDir),
    PodResourceState.restore(checkpoints, ACTUATED_PODS_STATE, rootDir),
  ]);
  return { allocated, actuated };
}

interface RuntimeFacts {
  readonly state: RuntimeAnswers;
  readonly runtimeName: string;
}

const kubeletOptions = (
  { options, configuration, client, log, node, recorder, following }: PodContext,
  { state, runtimeName }: RuntimeFacts,
): RunKubeletOptions => ({
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
  runtimeStatus: () => state.status(),
  runtimeName,
  syncFrequency: configuration.syncFrequency,
});

/** The pods of the node with their workers and statuses. */
const kubeletCore = (
  options: RunKubeletOptions,
  { allocated, syncer }: Pick<KubeletCoreOptions, 'allocated' | 'syncer'>,
): KubeletCore =>
  new KubeletCore({
    ...options,
    sources: podSources(options),
    allocated,
    statuses: new PodStatusCache(),
    backOffPeriod: BACK_OFF,
    syncer,
  });

/** The resources of the node that pods cannot use. */
const reservation = ({ configuration, node }: PodContext): Usage =>
  nodeAllocatableReservation(reservedOf(configuration), usageOf(node.latest.status.capacity));

const errorsOf = ({ runtimeState }: RunKubelet, { shutdown }: Care, { records }: NodeCSI): string[] => [
  ...runtimeState.runtimeErrors(),
  ...runtimeState.networkErrors(),
  ...[shutdown.fault(), records.fault].flatMap((fault) => fault ?? []),
];

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

/** Selects every container that is not running, and every sandbox without containers (upstream: DeleteAllUnusedContainers). */
const ALL_DEAD = { allSourcesReady: true, evictTerminated: true, minAge: 0, maxPerPodContainer: 0, maxContainers: -1 };

const resourceView = (core: KubeletCore, trigger: StatusTrigger): ResourceView => ({
  activePods: () => core.activePods(),
  pods: () => core.podManager.pods(),
  podStatus: (uid) => core.statusManager.podStatus(uid),
  areSourcesReady: () => core.areSourcesReady(),
  isPodKnownTerminated: (uid) => core.podWorkers.isPodKnownTerminated(uid),
  isPodTerminationRequested: (uid) => core.podWorkers.isPodTerminationRequested(uid),
  syncPods: (uids) => core.events.sync(uids),
  capacityChanged: () => trigger.trigger(),
});

const podCgroups = ({
  context: { configuration, recorder, node, log },
  core,
  volumes,
  resources,
  cgroupManager,
}: Pick<RoomInputs, 'context' | 'core' | 'volumes' | 'resources' | 'cgroupManager'>): NodeCgroups =>
  nodeCgroups({
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
