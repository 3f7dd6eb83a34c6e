import { systemClock as clock } from '#adapters/clock.ts';
import { evictionHardOf } from '#lib/kubelet/eviction/thresholds.ts';
import { EvictionManager } from '#lib/kubelet/eviction/eviction-manager.ts';
import { EvictionMetrics } from '#lib/kubelet/eviction/metrics.ts';
import { parseThresholdConfig } from '#lib/kubelet/eviction/parse-threshold-config.ts';
import type { ImageGCManager } from '#lib/kubelet/images/image-gc-manager.ts';
import { killPodNow } from '#lib/kubelet/podworkers/kill-pod-now.ts';
import type { KubeletCore } from '#lib/kubelet/run-kubelet.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { nodeReference, type PodContext } from './context.ts';
import type { NodeStats } from './stats.ts';

/** The inputs of the care for the machine. */
export interface CareInputs {
  readonly context: PodContext;
  readonly core: KubeletCore;
  readonly stats: () => NodeStats;
  images(): Pick<ImageGCManager, 'deleteUnusedImages'>;
  /** Removes every container that does not run. */
  removeDeadContainers(): Promise<void>;
  conditionsChanged(): void;
}

/** Keeps the machine from running out of memory, disk and process ids: eviction of pods. */
export interface Care {
  readonly eviction: EvictionManager;
  readonly metrics: EvictionMetrics;
  run(signal: AbortSignal): Promise<void>;
}

/** Makes the care for the machine. Throws Error with upstream's text for thresholds that cannot be. */
export function machineCare({ context, core, stats, ...inputs }: CareInputs): Care {
  const { recorder, node, log } = context;
  const metrics = new EvictionMetrics();
  const eviction = new EvictionManager(evictionSettings(context), {
    clock,
    recorder,
    node: nodeReference(node.latest),
    metrics,
    summary: () => stats().summary.summary(),
    diskLayout: async () => ({ dedicatedImageFs: await stats().hasOwnImageFs(), splitContainerFs: false }),
    pods: () => core.activePods(),
    isCleanedUp: (pod) => core.podState.shouldPodContentBeRemoved(uidOf(pod)),
    killPod: (pod, kill) => killPodNow({ podWorkers: core.podState, recorder, clock }, pod, kill),
    reclaim: { containers: () => inputs.removeDeadContainers(), images: () => inputs.images().deleteUnusedImages() },
    conditionsChanged: () => inputs.conditionsChanged(),
    report: (message, error) => log.fault(message)(error ?? new Error(message)),
  });
  return {
    eviction,
    metrics,
    run: (signal) => eviction.run(signal),
  };
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
