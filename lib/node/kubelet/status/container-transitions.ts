import type { Container, ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { containerShouldRestart } from '#lib/helpers/component-helpers/pod/should-restart.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { allContainersCouldRestart } from '../container/all-containers-restart.ts';

/**
 * The container that would leave its terminated state without a restart, or undefined if all transitions are legal (upstream:
 * checkContainerStateTransition).
 */
export function illegalTransition(pod: Pod, old: PodStatus, fresh: PodStatus): string | undefined {
  if (pod.spec.restartPolicy === 'Always' || allContainersCouldRestart(pod)) return undefined;
  const inits = (pod.spec.initContainers ?? []).filter((one) => !isSidecar(one));
  return (
    revived(pod, pod.spec.containers ?? [], old.containerStatuses, fresh.containerStatuses) ??
    revived(pod, inits, old.initContainerStatuses, fresh.initContainerStatuses)
  );
}

function revived(
  pod: Pod,
  containers: readonly Container[],
  old: readonly ContainerStatus[] = [],
  fresh: readonly ContainerStatus[] = [],
): string | undefined {
  const isRevived = (container: Container): boolean => {
    const of = (statuses: readonly ContainerStatus[]): ContainerStatus | undefined =>
      statuses.find(({ name }) => name === container.name);
    const ended = of(old)?.state.terminated;
    const now = of(fresh);
    if (ended === undefined || now === undefined || now.state.terminated !== undefined) return false;
    const isRetried = ended.exitCode !== 0 && pod.spec.restartPolicy === 'OnFailure';
    return !isRetried && !containerShouldRestart(container, pod, ended.exitCode);
  };
  return containers.find(isRevived)?.name;
}
