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

/** The knowledge of the pod workers about a pod (upstream: podStateProvider). */
export interface PodStateProvider {
  isPodTerminationRequested(uid: string): boolean;
  shouldPodContentBeRemoved(uid: string): boolean;
  shouldPodRuntimeBeRemoved(uid: string): boolean;
}

/** The settings of pods' cgroups (upstream: those of PodContainerManager). Methods reject where the kernel refuses. */
export interface PodCgroupConfigs {
  /** The memory or CPU that the cgroup of a pod is bound to; nothing where pods have no cgroups. */
  config(pod: Pod, resource: 'memory' | 'cpu'): Promise<ResourceConfig>;
  setConfig(pod: Pod, config: ResourceConfig): Promise<void>;
}

/** All that the actions of the runtime manager need. */
export interface RuntimePorts {
  readonly clock: Clock;
  /** It bounds its calls in time, and gives those longer whose work takes long. */
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
  /** The resources that containers were given last. */
  readonly actuated: PodResourceState;
  /** The runtime handler of a RuntimeClass; '' for the default. Throws Error for an unknown class. */
  readonly lookupRuntimeHandler: (runtimeClassName: string | undefined) => string;
  /** Resolves when the network policies hold for a pod with addresses of its own; absent: nothing waits for them. Rejects with an Error where they do not hold yet. */
  readonly admitNetwork?: (pod: Pod, ips: readonly string[], signal?: AbortSignal) => Promise<void>;
  /** A whole number from 0 to below 2^32. */
  readonly randomUint32: () => number;
  /** Tells the log of a failure that the caller goes on after. */
  readonly report: (message: string, error: unknown) => void;
  /** Delays of containers that ended, by `backoffKey`. */
  readonly backoff: Backoff;
}
