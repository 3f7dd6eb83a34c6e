import {
  type Container,
  ContainerState,
  type PodSandbox,
  PodSandboxState,
} from '#lib/node/cri-api/generated/runtime-v1.ts';

/** The running containers: if there are several attempts, the running one (upstream: removeTerminatedContainers). */
export const liveContainers = (containers: readonly Container[]): Container[] =>
  containers.filter(({ state }) => state === ContainerState.CONTAINER_RUNNING);

/** The ready sandboxes of each pod, or its only or newest one (upstream: removeTerminatedPods). */
export function liveSandboxes(sandboxes: readonly PodSandbox[]): PodSandbox[] {
  const sorted = [...sandboxes].sort((a, b) => Number(a.createdAt - b.createdAt));
  const byPod = Map.groupBy(sorted, ({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`);
  return [...byPod.values()].flatMap((attempts) => {
    const ready = attempts.filter(({ state }) => state === PodSandboxState.SANDBOX_READY);
    return ready.length > 0 && attempts.length > 1 ? ready : attempts.slice(-1);
  });
}
