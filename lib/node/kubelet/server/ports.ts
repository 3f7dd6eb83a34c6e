import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import type { Runtime } from '../container/runtime.ts';
import type { LogFiles } from '../kuberuntime/logs/log-files.ts';
import type { NodeAnswer } from './node-request.ts';

/** The pods that the server exposes. */
export interface ServedPods {
  /** The pods bound to the node. */
  pods(): readonly Pod[];
  podByName(namespace: string, name: string): Pod | undefined;
  /** The status that the agent holds, or undefined before the first one. */
  podStatus(uid: string): PodStatus | undefined;
}

/** The collectors for `/metrics` and the paths below it. */
export interface ServedMetrics {
  readonly agent: readonly Collector[];
  readonly cadvisor: readonly Collector[];
  readonly resource: readonly Collector[];
  readonly probes: readonly Collector[];
}

/** The settings for optional parts of the server (KubeletConfiguration). */
export interface ServerOptions {
  /** True by default. */
  readonly enableDebuggingHandlers: boolean;
  /** True by default. */
  readonly enableSystemLogHandler: boolean;
}

/** The ports of the node's server. */
export interface ServerPorts {
  readonly clock: Clock;
  readonly options: ServerOptions;
  readonly pods: ServedPods;
  readonly runtime: Pick<Runtime, 'pods' | 'runInContainer'>;
  readonly streaming: Pick<RuntimeService, 'exec' | 'attach' | 'portForward' | 'containerStatus' | 'listPodSandbox'>;
  readonly logs: LogFiles;
  readonly metrics: ServedMetrics;
  /** The reason why the agent's sync loop is not running, or undefined if it is. */
  syncLoopFault(): string | undefined;
  /** The current configuration in the format of `/configz`. */
  configz(): Json;
  /** The node's Summary. `onlyCPUAndMemory` omits everything else. Rejects if it is unavailable. */
  summary(onlyCPUAndMemory: boolean): Promise<Json>;
  /** A file or directory of the machine's logs, by its unescaped path below the log directory. Links cannot lead out of it. */
  hostLog(path: string): Promise<NodeAnswer>;
}
