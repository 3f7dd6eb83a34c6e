import type { Container, ContainerRestartRule, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { isConditionTrue } from '#lib/machinery/conditions.ts';

/** The fields of a container that determine whether it restarts. */
type Restartable = Pick<Container, 'restartPolicy' | 'restartPolicyRules'>;

/** The first of a container's restart rules that matches an exit code (upstream: FindMatchingContainerRestartRule). */
export function matchingRestartRule(
  { restartPolicyRules = [] }: Restartable,
  exitCode: number,
): ContainerRestartRule | undefined {
  return restartPolicyRules.find(({ exitCodes }) => {
    const isListed = exitCodes?.values?.includes(exitCode) === true;
    if (exitCodes?.operator === 'In') return isListed;
    return exitCodes?.operator === 'NotIn' && !isListed;
  });
}

/**
 * Whether a container restarts after this exit code. Its own rules take precedence over its own policy, which takes precedence over the
 * pod's policy (upstream: ContainerShouldRestart).
 */
export function containerShouldRestart(container: Restartable, pod: Pod, exitCode: number): boolean {
  const { restartPolicy: own = '' } = container;
  const action = own === '' ? undefined : matchingRestartRule(container, exitCode)?.action;
  if (action === 'Restart' || action === 'RestartAllContainers') return true;
  const policy = own === '' ? pod.spec.restartPolicy : own;
  return policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never';
}

/** Whether an exit in the status restarts every container of the pod (upstream: ShouldAllContainersRestart). */
export function shouldAllContainersRestart(pod: Pod, status: PodStatus): boolean {
  if (isConditionTrue(status.conditions, 'AllContainersRestarting')) return true;
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])].some((container) => {
    const ended = statuses.find(({ name }) => name === container.name)?.state.terminated;
    return ended !== undefined && matchingRestartRule(container, ended.exitCode)?.action === 'RestartAllContainers';
  });
}
