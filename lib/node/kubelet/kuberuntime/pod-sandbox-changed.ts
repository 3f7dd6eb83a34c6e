import type { Pod } from '#lib/api/types/core.v1.ts';
import { NamespaceMode, PodSandboxState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import type { PodActions } from './pod-actions.ts';

/**
 * Whether a pod needs a new sandbox, with the number of its attempt. The newest sandbox must be the only ready one. It must have the
 * network that the spec requires, and an address (upstream: PodSandboxChanged).
 */
export function podSandboxChanged(
  { spec }: Pod,
  { sandboxStatuses }: RuntimePodStatus,
): Pick<PodActions, 'createSandbox' | 'sandboxID' | 'attempt'> {
  const [newest] = sandboxStatuses;
  if (newest === undefined) return { createSandbox: true, attempt: 0, sandboxID: '' };
  const attempt = newest.metadata?.attempt ?? 0;
  const ready = sandboxStatuses.filter(({ state }) => state === PodSandboxState.SANDBOX_READY);
  if (ready.length > 1 || newest.state !== PodSandboxState.SANDBOX_READY)
    return { createSandbox: true, attempt: attempt + 1, sandboxID: newest.id };
  const network = newest.linux?.namespaces?.options?.network ?? NamespaceMode.POD;
  if (network !== (spec.hostNetwork === true ? NamespaceMode.NODE : NamespaceMode.POD))
    return { createSandbox: true, attempt: attempt + 1, sandboxID: '' };
  if (spec.hostNetwork !== true && newest.network?.ip === '')
    return { createSandbox: true, attempt: attempt + 1, sandboxID: newest.id };
  return { createSandbox: false, attempt, sandboxID: newest.id };
}
