import type { RuntimePodStatus } from './container/runtime.ts';

/** Number of dead attempts to keep for each container. */
const KEPT = 1;

/**
 * The dead containers of a pod to delete after one of its containers exited: all but the newest with that container's name. With
 * `removeAll`, all dead containers of the pod (upstream: getContainersToDeleteInPod).
 */
export function containersToDelete(
  { containerStatuses }: RuntimePodStatus,
  exitedContainerID: string,
  removeAll: boolean,
): string[] {
  const exited = containerStatuses.find(({ id }) => id === exitedContainerID);
  if (!removeAll && exited === undefined) return [];
  return containerStatuses
    .filter(({ state, name }) => state === 'exited' && (removeAll || name === exited?.name))
    .sort((a, b) => b.createdAt - a.createdAt)
    .slice(removeAll ? 0 : KEPT)
    .map(({ id }) => id);
}
