import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodsProvider } from './providers.ts';

/** The agent's knowledge of its pods. */
export interface PodSource {
  /** Every pod that the API or a manifest gives to the node. */
  pods(): readonly Pod[];
  /** The phase that the agent last found, which the API may not have yet. */
  phaseOf(uid: string): string | undefined;
  /** Whether nothing of the pod runs, and nothing of it will. */
  isPodKnownTerminated(uid: string): boolean;
  /** Whether the pod is being ended. */
  isPodTerminationRequested(uid: string): boolean;
}

const isTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Whether a pod has ended: nothing of it is left, or its phase says so and it is not being ended still (upstream: isPodInactive). */
export function isPodInactive({ metadata, status }: Pod, source: PodSource): boolean {
  const uid = metadata.uid ?? '';
  if (source.isPodKnownTerminated(uid)) return true;
  return (isTerminal(status?.phase) || isTerminal(source.phaseOf(uid))) && !source.isPodTerminationRequested(uid);
}

/** The pods as the pod resources API sees them: pods that ended are in the list of v1alpha1 alone. */
export const podsProvider = (source: PodSource): PodsProvider => ({
  getPods: () => source.pods(),
  getActivePods: () => source.pods().filter((pod) => !isPodInactive(pod, source)),
  getPodByName: (namespace, name) =>
    source
      .pods()
      .find((pod) => pod.metadata.namespace === namespace && pod.metadata.name === name && !isPodInactive(pod, source)),
});
