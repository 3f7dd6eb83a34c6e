import type { RuntimePodStatus } from './container/runtime.ts';

/** Dead attempts that are kept of each container. */
const KEPT = 1;

/**
 * The dead containers of a pod to delete. After an end of one container: all but the newest of its name. With `removeAll` every dead one, of
 * whatever name (upstream: getContainersToDeleteInPod).
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
