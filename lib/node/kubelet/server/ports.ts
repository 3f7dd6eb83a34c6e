import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import type { Runtime } from '../container/runtime.ts';
import type { LogFiles } from '../kuberuntime/logs/log-files.ts';
import type { NodeAnswer } from './node-request.ts';

/** The pods that the server tells of. */
export interface ServedPods {
  /** The pods that are bound to the node. */
  pods(): readonly Pod[];
  podByName(namespace: string, name: string): Pod | undefined;
  /** The status that the agent keeps; undefined before the first. */
  podStatus(uid: string): PodStatus | undefined;
}

/** The collectors behind `/metrics` and the paths below it. */
export interface ServedMetrics {
  readonly agent: readonly Collector[];
  readonly cadvisor: readonly Collector[];
  readonly resource: readonly Collector[];
  readonly probes: readonly Collector[];
}

/** The parts that the server may show (KubeletConfiguration). */
export interface ServerOptions {
  /** Default true. */
  readonly enableDebuggingHandlers: boolean;
  /** Default true. */
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
  /** Why the loop of the agent does not run; undefined while it does. */
  syncLoopFault(): string | undefined;
  /** The configuration in use, as `/configz` shows it. */
  configz(): Json;
  /** The node's Summary; `onlyCPUAndMemory` leaves all else out. Rejects where it cannot be told. */
  summary(onlyCPUAndMemory: boolean): Promise<Json>;
  /** A file or folder of the machine's logs, by its unescaped path below the folder; no link leads out. */
  hostLog(path: string): Promise<NodeAnswer>;
}
