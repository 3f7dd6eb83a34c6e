import type { ContainerStatus, PodStatus } from '#lib/api/types/core.v1.ts';

/**
 * The container whose log is requested, with the ID from the status (upstream: validateContainerLogStatus). Throws Error with upstream's
 * text.
 */
export function loggedContainer(podName: string, status: PodStatus, container: string, previous: boolean): string {
  const fail = (text: string): never => {
    throw new Error(text);
  };
  const where = `"${container}" in pod "${podName}"`;
  const held = statusOf(status, container);
  if (held === undefined) return fail(`container ${where} is not available`);
  const { running, terminated, waiting } = held.state;
  const last = held.lastState.terminated;
  const lastID = last?.containerID ?? '';
  if (previous) return lastID || fail(`previous terminated container ${where} not found`);
  if (running !== undefined) return held.containerID ?? '';
  if (terminated !== undefined)
    return (terminated.containerID ?? '') || lastID || fail(`container ${where} is terminated`);
  if (last !== undefined) return lastID || fail(`container ${where} is terminated`);
  if (waiting === undefined) return fail(`container ${where} is waiting to start - no logs yet`);
  const reasons = new Map([
    ['ErrImagePull', "image can't be pulled"],
    ['ImagePullBackOff', 'trying and failing to pull image'],
  ]);
  const { reason = '' } = waiting;
  return fail(`container ${where} is waiting to start: ${reasons.get(reason) ?? reason}`);
}

/** The status of a container of any kind. */
function statusOf(status: PodStatus, wanted: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    ({ name }) => name === wanted,
  );
}
