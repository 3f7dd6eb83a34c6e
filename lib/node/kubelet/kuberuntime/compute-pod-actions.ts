import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { matchingRestartRule } from '#lib/helpers/component-helpers/pod/should-restart.ts';
import { hashContainer } from '../container/hash.ts';
import { findContainerStatus, shouldContainerBeRestarted } from '../container/helpers.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../container/runtime.ts';
import { computeInitContainerActions } from './compute-init-container-actions.ts';
import {
  addResize,
  type ContainerToReset,
  draftActions,
  type KillReason,
  type PodActions,
  type PodActionsDraft,
  type PodActionsInput,
} from './pod-actions.ts';
import { podSandboxChanged } from './pod-sandbox-changed.ts';
import { podLevelResizes } from './resize.ts';

/** Computes the steps that reconcile a pod with its spec, without side effects (upstream: computePodActions). */
export function computePodActions(input: PodActionsInput): PodActions {
  const { pod, status } = input;
  const actions = draftActions(podSandboxChanged(pod, status));
  if (input.restartAllContainers === true) {
    actions.containersToReset = containersToReset(pod, status);
    return actions;
  }
  if (actions.createSandbox) return withNewSandbox(actions, pod, status);
  actions.ephemeralContainersToStart = (pod.spec.ephemeralContainers ?? []).filter(
    ({ name }) => findContainerStatus(status, name) === undefined,
  );
  const isInitialized = computeInitContainerActions(input, actions);
  if (actions.killPod || !isInitialized) return actions;
  const kept = (pod.spec.containers ?? []).filter((container) => isKept(container, input, actions));
  if (kept.length === 0 && actions.containersToStart.length === 0) {
    actions.killPod = true;
    actions.initContainersToStart = [];
  }
  actions.updatePodLevelResources = podLevelResizes(pod, input.actuated);
  return actions;
}

/** A new sandbox starts all containers again, unless no container is left to run. */
function withNewSandbox(actions: PodActionsDraft, pod: Pod, status: RuntimePodStatus): PodActions {
  const { restartPolicy, containers, initContainers = [] } = pod.spec;
  if (restartPolicy === 'Never' && actions.attempt !== 0 && status.containerStatuses.length > 0)
    return { ...actions, createSandbox: false };
  const toStart = (containers ?? []).filter((container) => {
    const runsOnce = (container.restartPolicy ?? restartPolicy) === 'OnFailure';
    return !(runsOnce && hasSucceeded(container, status));
  });
  if (toStart.length === 0 && hasAnyRegularContainerCreated(pod, status)) return { ...actions, createSandbox: false };
  if (initContainers.length > 0) return { ...actions, initContainersToStart: initContainers.slice(0, 1) };
  return { ...actions, containersToStart: toStart };
}

function hasSucceeded({ name }: Container, status: RuntimePodStatus): boolean {
  const last = findContainerStatus(status, name);
  return last?.state === 'exited' && last.exitCode === 0;
}

/** Whether any regular container was created, which means that the init containers are done (upstream: HasAnyRegularContainerCreated). */
export const hasAnyRegularContainerCreated = (pod: Pod, status: RuntimePodStatus): boolean =>
  (pod.spec.containers ?? []).some(({ name }) => {
    const last = findContainerStatus(status, name);
    return last !== undefined && last.state !== 'unknown';
  });

/** Decides the actions for one regular container. Returns whether it keeps running. */
function isKept(container: Container, input: PodActionsInput, actions: PodActionsDraft): boolean {
  const { pod, status } = input;
  const { name } = container;
  const last = findContainerStatus(status, name);
  if (last === undefined || last.state !== 'running') {
    if (!shouldContainerBeRestarted(container, pod, status)) return false;
    actions.containersToStart.push(container);
    if (last?.state === 'unknown') {
      const message = `Container is in "${last.state}" state, try killing it before restart`;
      actions.containersToKill.push({ id: last.id, name, message, reason: 'Unknown' });
    }
    return false;
  }
  const end = whyToEnd(container, last, input);
  if (end === undefined) {
    const isResized = addResize(input, actions, { container, id: last.id });
    if (!isResized) actions.containersToStart.push(container);
    return isResized;
  }
  const isRestarted = end.isChanged || (container.restartPolicy ?? pod.spec.restartPolicy) !== 'Never';
  if (isRestarted) actions.containersToStart.push(container);
  const message = isRestarted ? `${end.message}, will be restarted` : end.message;
  actions.containersToKill.push({ id: last.id, name, message, reason: end.reason });
  return false;
}

interface End {
  readonly message: string;
  readonly reason: KillReason;
  /** Whether the spec has changed. The container then restarts regardless of its policy. */
  readonly isChanged?: boolean;
}

function whyToEnd(
  container: Container,
  { id, hash }: RuntimeContainerStatus,
  { probes }: PodActionsInput,
): End | undefined {
  const { name } = container;
  if (hash !== hashContainer(container))
    return { message: `Container ${name} definition changed`, reason: '', isChanged: true };
  if (probes.result('liveness', id) === 'failure')
    return { message: `Container ${name} failed liveness probe`, reason: 'LivenessProbe' };
  if (probes.result('startup', id) === 'failure')
    return { message: `Container ${name} failed startup probe`, reason: 'StartupProbe' };
  return undefined;
}

/** All attempts of all containers, regular containers before init containers. Those whose exit caused the restart come last. */
function containersToReset({ spec }: Pod, status: RuntimePodStatus): ContainerToReset[] {
  const regular = resetsOf(spec.containers ?? [], status);
  const init = resetsOf(spec.initContainers ?? [], status);
  return [...regular.targets, ...init.targets, ...regular.sources, ...init.sources];
}

function resetsOf(
  containers: readonly Container[],
  status: RuntimePodStatus,
): { readonly sources: ContainerToReset[]; readonly targets: ContainerToReset[] } {
  const sources: ContainerToReset[] = [];
  const targets: ContainerToReset[] = [];
  for (const container of containers) {
    for (const { id, name, state, exitCode } of status.containerStatuses) {
      if (name !== container.name) continue;
      const isSource =
        state === 'exited' && matchingRestartRule(container, exitCode)?.action === 'RestartAllContainers';
      (isSource ? sources : targets).push({ id, name, kill: state !== 'exited' });
    }
  }
  return { sources, targets };
}
