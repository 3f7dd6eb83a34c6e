import type { ContainerState, ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';

/** Maximum total length of a pod's termination messages in bytes (upstream: MaxPodTerminationMessageLogLength). */
const MESSAGES = 12 * 1024;

/** Converts a status in place to the form that the API returns: truncated messages, ordered containers (upstream: normalizeStatus). */
export function normalizeStatus({ spec }: Pod, status: PodStatus): void {
  const lists = [spec.containers ?? [], spec.initContainers ?? [], spec.ephemeralContainers ?? []];
  const most = Math.floor(MESSAGES / Math.max(1, lists.flat().length));
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status;
  for (const one of [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses])
    for (const state of [one.state, one.lastState]) cutMessage(state, most);
  containerStatuses.sort(byName);
  ephemeralContainerStatuses.sort(byName);
  const order = (spec.initContainers ?? []).map(({ name }) => name);
  initContainerStatuses.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

const byName = (a: ContainerStatus, b: ContainerStatus): number => (a.name < b.name ? -1 : Number(a.name > b.name));

function cutMessage({ terminated }: ContainerState, most: number): void {
  const bytes = Buffer.from(terminated?.message ?? '');
  if (terminated === undefined || bytes.length <= most) return;
  terminated.message = bytes
    .subarray(0, most)
    .toString()
    .replace(/\uFFFD$/, '');
}
