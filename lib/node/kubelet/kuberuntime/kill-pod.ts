import type { Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import type { RunningPod } from '../container/runtime.ts';
import { KubeletError, type SyncResult } from '../container/sync-result.ts';
import { type KillPorts, killContainer } from './kill-container.ts';
import { TerminationOrdering } from './termination-order.ts';

/**
 * Stops all containers of a pod concurrently, sidecars in their order, then stops its sandboxes. Garbage collection removes them later
 * (upstream: killPodWithSyncResult). Never throws: failures are in the results.
 */
export async function killPodWithResults(
  ports: KillPorts,
  pod: Pod | undefined,
  running: RunningPod,
  gracePeriodOverride?: number,
): Promise<SyncResult[]> {
  const hasSidecars = pod?.spec.initContainers?.some(isSidecar) === true;
  const names = new Set(running.containers.map(({ name }) => name));
  const ordering = hasSidecars ? new TerminationOrdering(ports.clock, pod, names) : undefined;
  const results = await Promise.all(
    running.containers.map(({ id, name }) =>
      resultOf('KillContainer', name, () =>
        killContainer(ports, { pod, id, name, message: '', reason: 'Unknown', gracePeriodOverride, ordering }),
      ),
    ),
  );
  const sandboxes = await resultOf('KillPodSandbox', running.uid, () => stopSandboxes(ports, running));
  return [...results, sandboxes];
}

async function stopSandboxes({ runtime }: KillPorts, { sandboxes }: RunningPod): Promise<void> {
  let failure: unknown;
  for (const { id } of sandboxes) {
    try {
      await runtime.stopPodSandbox({ podSandboxId: id });
    } catch (error) {
      if (!(error instanceof RpcError && error.code === 'NotFound')) failure = error;
    }
  }
  if (failure !== undefined) throw failure;
}

async function resultOf(
  action: 'KillContainer' | 'KillPodSandbox',
  target: string,
  work: () => Promise<void>,
): Promise<SyncResult> {
  try {
    await work();
    return { action, target };
  } catch (error) {
    return { action, target, error: new KubeletError(`${action}Error`, messageOfError(error), { cause: error }) };
  }
}
