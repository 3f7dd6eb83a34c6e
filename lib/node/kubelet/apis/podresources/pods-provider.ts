import type { Pod } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import type { PodsProvider } from './providers.ts';

/** The agent's view of its pods. */
export interface PodSource {
  /** All pods that the API or a manifest assigns to the node. */
  pods(): readonly Pod[];
  /** The last phase that the agent computed, which the API may not have yet. */
  phaseOf(uid: string): string | undefined;
  /** Whether no part of the pod is running or will run. */
  isPodKnownTerminated(uid: string): boolean;
  /** Whether the pod is terminating. */
  isPodTerminationRequested(uid: string): boolean;
}

/** Whether a pod has terminated: no part of it runs, or its phase is terminal and it is not still terminating (upstream: isPodInactive). */
export function isPodInactive({ metadata, status }: Pod, source: PodSource): boolean {
  const uid = metadata.uid ?? '';
  if (source.isPodKnownTerminated(uid)) return true;
  return (
    (isPodPhaseTerminal(status?.phase) || isPodPhaseTerminal(source.phaseOf(uid))) &&
    !source.isPodTerminationRequested(uid)
  );
}

/** The pods for the pod resources API. Only the list of v1alpha1 includes terminated pods. */
export const podsProvider = (source: PodSource): PodsProvider => ({
  getPods: () => source.pods(),
  getActivePods: () => source.pods().filter((pod) => !isPodInactive(pod, source)),
  getPodByName: (namespace, name) =>
    source
      .pods()
      .find((pod) => pod.metadata.namespace === namespace && pod.metadata.name === name && !isPodInactive(pod, source)),
});
