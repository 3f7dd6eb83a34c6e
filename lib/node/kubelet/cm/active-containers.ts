import type { Container, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import type { ContainerRef } from './containermap.ts';

/** The resource managers' view of the node's pods. */
export interface PodView {
  /** The admitted pods that have not terminated. */
  activePods(): readonly Pod[];
  /** Whether all pod sources have delivered their pods. Until then no pod counts as deleted. */
  sourcesReady(): boolean;
  /** The newest status of a pod, or undefined if none is known. */
  podStatus(uid: string): PodStatus | undefined;
}

/** Init containers, then app containers. */
export const containersOf = ({ spec }: Pod): Container[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
];

/** Names of containers by the uid of their pod, for all active pods. */
const activeContainers = (pods: PodView): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    pods
      .activePods()
      .map((pod) => [pod.metadata.uid ?? '', new Set(containersOf(pod).map(({ name }) => name))] as const),
  );

/** The containers that belong to no active pod. Empty while pod sources are not ready. */
export function staleContainers(pods: PodView, refs: readonly ContainerRef[]): ContainerRef[] {
  if (!pods.sourcesReady()) return [];
  const active = activeContainers(pods);
  return refs.filter(({ podUID, containerName }) => active.get(podUID)?.has(containerName) !== true);
}

/** The containers in a map by pod uid and container name. */
export const refsOf = (assignments: ReadonlyMap<string, ReadonlyMap<string, unknown>>): ContainerRef[] =>
  [...assignments].flatMap(([podUID, own]) => [...own.keys()].map((containerName) => ({ podUID, containerName })));
