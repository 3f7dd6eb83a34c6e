import { systemClock as clock } from '#adapters/clock.ts';
import { connectRuntime, type RuntimeServices } from '#adapters/grpc/cri/runtime-services.ts';

import { manifestsAt } from '#adapters/host/manifests.ts';
import type { Machine } from '#adapters/host/machine.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { clientset } from '#lib/client/clientset.ts';
import { listWatch } from '#lib/client/list-watch.ts';
import { usageOf } from '#lib/component-helpers/resource/resource-list.ts';
import type { RuntimeHandler } from '#lib/cri-api/generated/runtime-v1.ts';
import type { Runtime } from '#lib/kubelet/container/runtime.ts';
import { EventRecorder } from '#lib/kubelet/events/event-recorder.ts';
import { nodeHostIPs } from '#lib/kubelet/kubelet-pods/host-ips.ts';
import { RunKubelet, type KubeletCore, type KubeletRooms } from '#lib/kubelet/run-kubelet.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { NodeConnection } from '../connection.ts';
import type { Log } from '../log.ts';
import type { AgentOptions } from '../options.ts';
import { partsWithoutRuntime, type ServedParts } from '../server.ts';
import { ApiObjects } from './api-objects.ts';
import { hostCgroups, nodeCgroups } from './cgroups.ts';
import { noResources } from './container-manager.ts';
import { nodeReference, type PodContext } from './context.ts';
import { nodeImages } from './images.ts';
import type { NodeObject } from './node-object.ts';
import { logRotation, nodeProbes, nodeRooms, nodeRuntime, type RoomInputs } from './rooms.ts';
import { nodeVolumes } from './volumes.ts';

/** Milliseconds between attempts to reach the container runtime. */
const RETRY = 5000;
/** Milliseconds after which a pod whose sync failed is synced again (upstream: backOffPeriod). */
const BACK_OFF = 10_000;

/** The inputs of the agent's pods. */
export interface PodsInputs {
  readonly options: AgentOptions;
  readonly connection: NodeConnection;
  readonly host: Machine;
  readonly node: NodeObject;
  readonly log: Log;
}

/** The pods of a node with its container runtime. */
export interface NodePods {
  /** `containerd://1.6.20`. */
  readonly runtimeVersion: string;
  readonly services: RuntimeServices;
  readonly served: ServedParts;
  /** Why the node is not ready. */
  errors(): readonly string[];
  /** Runs until the signal aborts; containers go on after that. */
  run(signal: AbortSignal): Promise<void>;
}

/** Waits for the container runtime, and composes the pods of the node over it. Undefined where the signal aborts before. */
export async function nodePods(inputs: PodsInputs, signal: AbortSignal): Promise<NodePods | undefined> {
  const { configuration } = inputs.options;
  const { containerRuntimeEndpoint: endpoint, imageServiceEndpoint, runtimeRequestTimeout: timeout } = configuration;
  const images = imageServiceEndpoint === '' ? {} : { imageEndpoint: imageServiceEndpoint };
  while (!signal.aborted) {
    try {
      return await composed(inputs, await connectRuntime({ endpoint, timeout, ...images }), signal);
    } catch (error) {
      inputs.log.fault('cannot use the container runtime yet')(error);
      await clock.sleep(RETRY, signal);
    }
  }
  return undefined;
}

async function composed(inputs: PodsInputs, services: RuntimeServices, signal: AbortSignal): Promise<NodePods> {
  const context = await contextOf(inputs, services);
  const { options, configuration, client, connection, log, node, recorder } = context;
  const objects = new ApiObjects(context);
  const volumes = await nodeVolumes(context, objects);
  await volumes.manager.reconstruct();
  const { runtimeName, runtimeVersion } = await services.runtime.version({});
  let handlers: readonly RuntimeHandler[] = [];
  const status = async () => {
    const answer = await services.runtime.status({});
    handlers = answer.runtimeHandlers;
    return { conditions: answer.status?.conditions ?? [] };
  };
  const parts = {
    context,
    objects,
    volumes,
    images: await nodeImages(context),
    resources: noResources,
    cgroupManager: await hostCgroups(configuration),
    runtimeHandlers: () => handlers,
  };
  const late = lateRooms(parts);
  const static_ = configuration.staticPodPath;
  const files = static_ === '' ? undefined : filesOf(static_, configuration.fileCheckFrequency);
  const kubelet = new RunKubelet({
    client,
    node: options.node,
    clock,
    random: () => Math.random(),
    recorder,
    pods: listWatch(connection.requests, PODS, '', `spec.nodeName=${options.node}`),
    ...defined({ files }),
    runtimeStatus: status,
    rooms: (core) => late.rooms(core),
    report: (message, error) => log.fault(message)(error),
    runtimeName,
    supportsRecursiveReadOnly: false,
    nodeIPs: options.nodeIPs,
    hostIPs: () => nodeHostIPs(node.latest),
    syncFrequency: configuration.syncFrequency,
    backOffPeriod: BACK_OFF,
  });
  const keepCgroups = await late.cgroups().start(signal);
  return {
    runtimeVersion: `${runtimeName}://${runtimeVersion}`,
    services,
    served: servedParts(kubelet, late.runtime(), services),
    errors: () => [...kubelet.runtimeState.runtimeErrors(), ...kubelet.runtimeState.networkErrors()],
    async run(ending) {
      await Promise.all([
        objects.run(ending),
        recorder.run(ending),
        kubelet.run(ending),
        logRotation(context).run(ending),
        keepCgroups(),
      ]);
    },
  };
}

const filesOf = (path: string, frequency: number) => ({ manifests: () => manifestsAt(path), frequency });

async function contextOf({ options, connection, host, node, log }: PodsInputs, services: RuntimeServices) {
  const { configuration, rootDir } = options;
  const [machine, { kernelVersion }] = await Promise.all([host.machineInfo(), host.versionInfo()]);
  const recorder = new EventRecorder({
    client: connection.client,
    clock,
    host: options.node,
    random: () => Math.random(),
    onFault: log.fault('cannot write an event'),
  });
  const client = clientset(connection.client);
  const common = { options, configuration, rootDir, connection, client, host, machine, kernelVersion };
  return { ...common, services, node, recorder, log } satisfies PodContext;
}

/** The rooms of pods, made once the kubelet's core is there; then the parts that others need. */
function lateRooms(parts: Omit<RoomInputs, 'core' | 'probes' | 'cgroups'>) {
  const { context, volumes, cgroupManager } = parts;
  const { configuration, recorder, node, log } = context;
  const made: { runtime?: Runtime; cgroups?: ReturnType<typeof nodeCgroups> } = {};
  const runtime = (): Runtime => must(made.runtime);
  return {
    runtime,
    cgroups: () => must(made.cgroups),
    rooms(core: KubeletCore): KubeletRooms {
      const cgroups = nodeCgroups({
        configuration,
        cgroups: cgroupManager,
        amounts: usageOf(node.latest.status.allocatable),
        recorder,
        node: nodeReference(node.latest),
        hasVolumes: (uid) => volumes.manager.hasPossiblyMountedVolumes(uid),
        activePods: () => core.activePods(),
        onFault: log.fault('cannot keep the cgroups of pods'),
      });
      const probes = nodeProbes(context, core, { runInContainer: (...args) => runtime().runInContainer(...args) });
      const inputs = { ...parts, core, probes, cgroups };
      made.cgroups = cgroups;
      made.runtime = nodeRuntime(inputs);
      return nodeRooms(inputs, made.runtime);
    },
  };
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it is made with the rooms of pods');
  return value;
}

const servedParts = (kubelet: RunKubelet, runtime: Runtime, { runtime: streaming }: RuntimeServices): ServedParts => ({
  ...partsWithoutRuntime,
  pods: {
    pods: () => kubelet.podManager.pods(),
    podByName: (namespace, name) => kubelet.podManager.podByName(namespace, name),
    podStatus: (uid) => kubelet.statusManager.podStatus(uid),
  },
  runtime,
  streaming,
});
