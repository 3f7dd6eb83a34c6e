import type { Pod } from '#lib/api/types/core.v1.ts';
import { replaceCondition } from '#lib/machinery/conditions.ts';
import { sandboxReadyCondition } from './generate.ts';
import type { StatusManager } from './status-manager.ts';

/**
 * Immediately reports that the sandbox, network and volumes of a pod are ready, because image pulls may take a long time (upstream:
 * OnPodSandboxReady).
 */
export function setSandboxReady(manager: Pick<StatusManager, 'podStatus' | 'setPodStatus'>, pod: Pod): void {
  const status = manager.podStatus(pod.metadata.uid ?? '') ?? pod.status;
  manager.setPodStatus(pod, { ...status, conditions: replaceCondition(status.conditions, sandboxReadyCondition(pod)) });
}
