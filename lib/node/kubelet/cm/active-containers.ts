import type { Container, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { ContainerRef } from './containermap.ts';

/** The pods of the node, as far as resource managers ask. */
export interface PodView {
  /** Pods that are admitted and have not ended. */
  activePods(): readonly Pod[];
  /** Whether all sources of pods have told theirs: before, no pod counts as gone. */
  sourcesReady(): boolean;
  /** The newest status of a pod; undefined where none is known. */
  podStatus(uid: string): PodStatus | undefined;
}

/** Init containers, then app containers. */
export const containersOf = ({ spec }: Pod): Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
];

/** Names of containers by the uid of their pod, of all active pods. */
const activeContainers = (pods: PodView): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    pods
      .activePods()
      .map((pod) => [pod.metadata.uid ?? '', new Set(containersOf(pod).map(({ name }) => name))] as const),
  );

/** Those of the containers that no active pod has; none while sources of pods are not ready. */
export function staleContainers(pods: PodView, refs: readonly ContainerRef[]): ContainerRef[] {
  if (!pods.sourcesReady()) return [];
  const active = activeContainers(pods);
  return refs.filter(({ podUID, containerName }) => active.get(podUID)?.has(containerName) !== true);
}

/** The containers that a map by pod uid and container name has. */
export const refsOf = (assignments: ReadonlyMap<string, ReadonlyMap<string, unknown>>): ContainerRef[] =>
  [...assignments].flatMap(([podUID, own]) => [...own.keys()].map((containerName) => ({ podUID, containerName })));
