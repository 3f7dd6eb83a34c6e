import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { matchingRestartRule, shouldAllContainersRestart } from '#lib/helpers/component-helpers/pod/should-restart.ts';
import { findContainerStatus } from './helpers.ts';
import type { RuntimePodStatus } from './runtime.ts';

const ACTION = 'RestartAllContainers';

/** Whether the pod has a rule that can restart all its containers (upstream: AllContainersCouldRestart). */
export const allContainersCouldRestart = ({ spec }: Pod): boolean =>
  [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === ACTION),
  );

/** Whether an exit in the runtime's or the API's status restarts every container of the pod (upstream: ShouldAllContainersRestart). */
export const allContainersRestart = (pod: Pod, runtime: RuntimePodStatus, api: PodStatus): boolean =>
  shouldAllContainersRestart(pod, api) ||
  [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])].some((container) => {
    const last = findContainerStatus(runtime, container.name);
    return last?.state === 'exited' && matchingRestartRule(container, last.exitCode)?.action === ACTION;
  });
