import type { Pod } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import type {
  CommandResult,
  GarbageCollectOptions,
  RunningPod,
  Runtime,
  RuntimePodStatus,
  SyncPodOptions,
} from '../container/runtime.ts';
import type { PodSyncResult } from '../container/sync-result.ts';
import { garbageCollect } from './container-gc.ts';
import { killPodWithResults } from './kill-pod.ts';
import { listPods } from './list-pods.ts';
import { podStatusOf } from './pod-status.ts';
import { removeContainer } from './remove-container.ts';
import { isPodResizeInProgress } from './resize-in-progress.ts';
import { commandRunner } from './run-in-container.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import { syncPod } from './sync-pod.ts';

/**
 * The container runtime via CRI (upstream: kubeGenericRuntimeManager). Its only in-memory state is the back-off of containers. A new
 * manager for the same runtime continues after the previous one.
 */
export class RuntimeManager implements Runtime {
  readonly #ports: RuntimePorts;

  constructor(ports: RuntimePorts) {
    this.#ports = ports;
  }

  pods(all: boolean, uid?: string): Promise<RunningPod[]> {
    return listPods(this.#ports.runtime, { onlyRunning: !all, ...defined({ podUID: uid }) });
  }

  async podStatus(uid: string, name: string, namespace: string): Promise<RuntimePodStatus> {
    const { runtime, clock } = this.#ports;
    const timestamp = clock.now();
    const [pod] = await listPods(runtime, { podUID: uid });
    const listed = pod ?? { createdAt: 0, containers: [], sandboxes: [] };
    return podStatusOf(this.#ports, { ...listed, uid, name, namespace }, timestamp);
  }

  syncPod(pod: Pod, status: RuntimePodStatus, options: SyncPodOptions): Promise<PodSyncResult> {
    return syncPod(this.#ports, pod, status, options);
  }

  /** Throws an AggregateError of all failed steps. */
  async killPod(pod: Pod | undefined, running: RunningPod, gracePeriodOverride?: number): Promise<void> {
    const results = await killPodWithResults(this.#ports, pod, running, gracePeriodOverride);
    const failed = results.flatMap(({ action, target, error }) =>
      error === undefined ? [] : [`failed to "${action}" for "${target}" with ${error.reason}: "${error.message}"`],
    );
    const errors = results.flatMap(({ error }) => error ?? []);
    const [only = ''] = failed;
    if (failed.length > 0) throw new AggregateError(errors, failed.length === 1 ? only : `[${failed.join(', ')}]`);
  }

  garbageCollect(options: GarbageCollectOptions): Promise<void> {
    const { backoff, actuated, podState } = this.#ports;
    backoff.collect();
    for (const uid of actuated.uids()) if (podState.shouldPodContentBeRemoved(uid)) actuated.removePod(uid);
    return garbageCollect(this.#ports, options);
  }

  isPodResizeInProgress(pod: Pod, status: RuntimePodStatus): boolean {
    return isPodResizeInProgress(pod, status, this.#ports.actuated);
  }

  async updateActuatedPodLevelResources(pod: Pod): Promise<void> {
    const { resources } = pod.spec;
    if (resources === undefined || (resources.requests ?? resources.limits) === undefined) return;
    await this.#ports.actuated.setPodLevelResources(uidOf(pod), resources);
  }

  deleteContainer(id: string): Promise<void> {
    return removeContainer(this.#ports, id, { keepLogs: false });
  }

  runInContainer(id: string, command: readonly string[], timeout: number): Promise<CommandResult> {
    return commandRunner(this.#ports.runtime).runInContainer(id, command, timeout);
  }
}
