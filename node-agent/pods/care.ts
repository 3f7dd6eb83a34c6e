import { systemClock as clock } from '#adapters/clock.ts';
import { HostKernelLog } from '#adapters/node/host/machine/kernel-log.ts';
import { HostLogind } from '#adapters/node/host/machine/logind.ts';
import { hostShutdownState } from '#adapters/node/host/machine/shutdown-state-file.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import { EvictionManager } from '#lib/node/kubelet/eviction/eviction-manager.ts';
import { EvictionMetrics } from '#lib/node/kubelet/eviction/metrics.ts';
import { parseThresholdConfig } from '#lib/node/kubelet/eviction/parse-threshold-config.ts';
import { evictionHardOf } from '#lib/node/kubelet/eviction/thresholds.ts';
import type { ImageGCManager } from '#lib/node/kubelet/images/image-gc-manager.ts';
import type { KubeletCore } from '#lib/node/kubelet/kubelet-core.ts';
import { NodeShutdownManager } from '#lib/node/kubelet/nodeshutdown/node-shutdown-manager.ts';
import { ShutdownState } from '#lib/node/kubelet/nodeshutdown/shutdown-state.ts';
import { watchOOMs } from '#lib/node/kubelet/oom/oom-watcher.ts';
import { killPodNow } from '#lib/node/kubelet/podworkers/kill-pod-now.ts';
import type { KillPodOptions } from '#lib/node/kubelet/podworkers/pod-syncer.ts';
import { nodeReference, type PodContext } from './context.ts';
import type { NodeStats } from './stats.ts';

/** The inputs of eviction and node shutdown. */
export interface CareInputs {
  readonly context: PodContext;
  readonly core: KubeletCore;
  readonly stats: NodeStats;
  readonly images: Pick<ImageGCManager, 'deleteUnusedImages'>;
  /** Removes every container that is not running. */
  removeDeadContainers(): Promise<void>;
  waitForUnmount(pod: Pod, signal: AbortSignal): Promise<void>;
  conditionsChanged(): void;
}

/** Protects the machine from running out of memory, disk and process ids, and terminates pods in order before a shutdown. */
export interface Care {
  readonly eviction: EvictionManager;
  readonly shutdown: NodeShutdownManager;
  readonly metrics: readonly Collector[];
  run(signal: AbortSignal): Promise<void>;
}

/** Creates eviction and node shutdown. Throws an Error with upstream's text for invalid thresholds. */
export function machineCare({ context, core, stats, ...inputs }: CareInputs): Care {
  const { recorder, node, log } = context;
  const metrics = new EvictionMetrics();
  const killPod = (pod: Pod, kill: KillPodOptions): Promise<void> =>
    killPodNow({ podWorkers: core.podWorkers, recorder, clock }, pod, kill);
  const report = (message: string, error?: unknown): void => log.fault(message)(error ?? new Error(message));
  const state = new ShutdownState(hostShutdownState(context.rootDir));
  const eviction = new EvictionManager(evictionSettings(context), {
    clock,
    recorder,
    node: nodeReference(node.latest),
    metrics,
    summary: () => stats.summary.summary({ update: true }),
    diskLayout: async () => ({ dedicatedImageFs: await stats.hasOwnImageFs(), splitContainerFs: false }),
    pods: () => core.allocatedPods(),
    areSourcesReady: () => core.areSourcesReady(),
    isCleanedUp: (pod) => core.podWorkers.shouldPodBeFinished(uidOf(pod)),
    killPod,
    reclaim: { containers: () => inputs.removeDeadContainers(), images: () => inputs.images.deleteUnusedImages() },
    conditionsChanged: () => inputs.conditionsChanged(),
    report,
  });
  const shutdown = new NodeShutdownManager(context.configuration, {
    clock,
    logind: new HostLogind(),
    recorder,
    node: nodeReference(node.latest),
    state,
    pods: () => core.activePods(),
    killPod,
    waitForUnmount: (pod, signal) => inputs.waitForUnmount(pod, signal),
    statusChanged: () => inputs.conditionsChanged(),
    report,
  });
  return {
    eviction,
    shutdown,
    metrics: [metrics, state],
    async run(signal) {
      await Promise.all([eviction.run(signal), shutdown.run(signal), tellOOMs(context, signal)]);
    },
  };
}

async function tellOOMs({ recorder, node, log }: PodContext, signal: AbortSignal): Promise<void> {
  using kernel = new HostKernelLog();
  const onFault = log.fault('cannot read the log of the kernel');
  await watchOOMs({ log: kernel, clock, recorder, node: nodeReference(node.latest), onFault }, signal);
}

const evictionSettings = ({ configuration }: PodContext) => ({
  thresholds: parseThresholdConfig({
    ...configuration,
    evictionHard: evictionHardOf(configuration.evictionHard, configuration.mergeDefaultEvictionSettings),
  }),
  pressureTransitionPeriod: configuration.evictionPressureTransitionPeriod,
  maxPodGracePeriodSeconds: configuration.evictionMaxPodGracePeriod,
  localStorageCapacityIsolation: configuration.localStorageCapacityIsolation,
});
