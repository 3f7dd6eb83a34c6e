import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { ImageService, RuntimeService } from '#lib/node/cri-api/services.ts';
import type { PodResourceState } from '../allocation/pod-resource-state.ts';
import type { ResourceConfig } from '../cm/cgroup/resource-config.ts';
import type { ContainerManager } from '../cm/container-manager.ts';
import type { RuntimeHelper } from '../container/runtime.ts';
import type { NodeEventRecorder } from '../events/recorder.ts';
import type { ImageManager } from '../images/image-manager.ts';
import type { HandlerRunner } from '../lifecycle/handler-runner.ts';
import type { ContainerLogRotation } from '../logs/container-log-rotation.ts';
import type { ProbeManager } from '../prober/probe-manager.ts';
import type { Backoff } from '../util/flowcontrol/backoff.ts';
import type { ConfigSettings } from './config-settings.ts';
import type { ContainerFiles } from './container-files.ts';
import type { LogFiles } from './logs/log-files.ts';

/** The state of a pod according to the pod workers (upstream: podStateProvider). */
export interface PodStateProvider {
  isPodTerminationRequested(uid: string): boolean;
  shouldPodContentBeRemoved(uid: string): boolean;
  shouldPodRuntimeBeRemoved(uid: string): boolean;
}

/** The settings of pod cgroups (upstream: those of PodContainerManager). Methods reject if the kernel refuses. */
export interface PodCgroupConfigs {
  /** The memory or CPU limits of a pod's cgroup. Empty if pods have no cgroups. */
  config(pod: Pod, resource: 'memory' | 'cpu'): Promise<ResourceConfig>;
  setConfig(pod: Pod, config: ResourceConfig): Promise<void>;
}

/** The ports of the runtime manager. */
export interface RuntimePorts {
  readonly clock: Clock;
  /** Has time-outs for its calls, with longer ones for slow operations. */
  readonly runtime: RuntimeService;
  readonly imageService: Pick<ImageService, 'imageStatus'>;
  readonly images: ImageManager;
  readonly helper: RuntimeHelper;
  readonly settings: ConfigSettings;
  readonly files: ContainerFiles;
  readonly logs: LogFiles;
  readonly logRotation: Pick<ContainerLogRotation, 'clean'>;
  readonly recorder: NodeEventRecorder;
  readonly hooks: HandlerRunner;
  readonly probes: Pick<ProbeManager, 'result'>;
  readonly containerManager: Pick<ContainerManager, 'preCreateContainer' | 'preStartContainer' | 'postStopContainer'>;
  readonly podState: PodStateProvider;
  readonly podCgroups: PodCgroupConfigs;
  /** The resources that containers last received. */
  readonly actuated: PodResourceState;
  /** The runtime handler of a RuntimeClass, or '' for the default. Throws Error for an unknown class. */
  readonly lookupRuntimeHandler: (runtimeClassName: string | undefined) => string;
  /**
   * Resolves when the network policies are in force for a pod with its own addresses. If absent, pods do not wait for them. Rejects with an
   * Error if they are not in force yet.
   */
  readonly admitNetwork?: (pod: Pod, ips: readonly string[], signal?: AbortSignal) => Promise<void>;
  /** A random integer in [0, 2^32). */
  readonly randomUint32: () => number;
  /** Logs a failure after which the caller continues. */
  readonly report: (message: string, error: unknown) => void;
  /** Back-off of exited containers, by `backoffKey`. */
  readonly backoff: Backoff;
}
