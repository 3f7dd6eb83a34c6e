import type { Container, ContainerStatus, Pod, PodCondition, PodStatus } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { quote } from '#lib/machinery/go.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import { allContainersRestart } from '../container/all-containers-restart.ts';
import { findContainerStatus } from '../container/helpers.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import { podSandboxChanged } from '../kuberuntime/pod-sandbox-changed.ts';

/** Statuses of containers, or undefined if none are known. */
type Statuses = readonly ContainerStatus[] | undefined;

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

/** A condition of the current pod. `lastTransitionTime` is set when the status is stored. */
const conditionFor = (pod: Pod, type: string, { status, reason, message }: Verdict): PodCondition => ({
  type,
  ...(generationOf(pod) === 0 ? {} : { observedGeneration: generationOf(pod) }),
  status,
  lastProbeTime: null,
  lastTransitionTime: null,
  ...defined({ reason, message }),
});

const TRUE: Verdict = { status: 'True' };
const refused = (reason: string, message?: string): Verdict => ({ status: 'False', reason, ...defined({ message }) });
const listed = (prefix: string, containers: readonly Container[]): string[] =>
  containers.length === 0 ? [] : [`${prefix}: [${containers.map(({ name }) => name).join(' ')}]`];
const statusOf = (statuses: Statuses, { name }: Container): ContainerStatus | undefined =>
  statuses?.find((one) => one.name === name);

/** The condition ContainersReady: whether all sidecars and containers are ready. */
export const containersReadyCondition = (pod: Pod, statuses: Statuses, phase: string | undefined): PodCondition =>
  conditionFor(pod, 'ContainersReady', containersReadiness(pod, statuses, phase));

function containersReadiness({ spec }: Pod, statuses: Statuses, phase: string | undefined): Verdict {
  if (statuses === undefined) return refused('UnknownContainerStatuses');
  const containers = [...(spec.initContainers ?? []).filter(isSidecar), ...(spec.containers ?? [])];
  const unknown = containers.filter((one) => statusOf(statuses, one) === undefined);
  if (phase === 'Succeeded' && unknown.length === 0) return refused('PodCompleted');
  if (phase === 'Failed') return refused('PodFailed');
  const unready = containers.filter((one) => statusOf(statuses, one)?.ready === false);
  const messages = [
    ...listed('containers with unknown status', unknown),
    ...listed('containers with unready status', unready),
  ];
  return messages.length === 0 ? TRUE : refused('ContainersNotReady', messages.join(', '));
}

/** The condition Ready: containers are ready, and all conditions of the readiness gates are True in `conditions`. */
export function podReadyCondition(
  pod: Pod,
  conditions: readonly PodCondition[],
  statuses: Statuses,
  phase: string | undefined,
): PodCondition {
  const containers = containersReadiness(pod, statuses, phase);
  return conditionFor(pod, 'Ready', containers.status === 'True' ? gatesReadiness(pod, conditions) : containers);
}

function gatesReadiness({ spec: { readinessGates = [] } }: Pod, conditions: readonly PodCondition[]): Verdict {
  const messages = readinessGates.flatMap(({ conditionType: type }) => {
    const condition = findCondition(conditions, type);
    if (condition === undefined)
      return [`corresponding condition of pod readiness gate ${quote(type)} does not exist.`];
    const { status } = condition;
    return status === 'True' ? [] : [`the status of pod readiness gate ${quote(type)} is not "True", but ${status}`];
  });
  return messages.length === 0 ? TRUE : refused('ReadinessGatesNotReady', messages.join(', '));
}

/** The condition Initialized. `old` is the previous status: an initialized pod stays initialized. */
export const podInitializedCondition = (
  pod: Pod,
  old: PodStatus,
  statuses: Statuses,
  phase: string | undefined,
): PodCondition => conditionFor(pod, 'Initialized', initialization(pod, old, statuses, phase));

function initialization({ spec }: Pod, old: PodStatus, statuses: Statuses, phase: string | undefined): Verdict {
  const { initContainers = [] } = spec;
  if (statuses === undefined && initContainers.length > 0) return refused('UnknownContainerStatuses');
  const unknown = initContainers.filter((one) => statusOf(statuses, one) === undefined);
  if (phase === 'Succeeded' && unknown.length === 0) return { status: 'True', reason: 'PodCompleted' };
  const hasStarted = (spec.containers ?? []).some((one) => {
    const state = statusOf(statuses, one)?.state;
    return state?.running !== undefined || state?.terminated !== undefined;
  });
  if (hasStarted) return TRUE;
  const incomplete = initContainers.filter((one) => {
    const status = statusOf(statuses, one);
    return status !== undefined && status[isSidecar(one) ? 'started' : 'ready'] !== true;
  });
  const messages = [
    ...listed('containers with unknown status', unknown),
    ...listed('containers with incomplete status', incomplete),
  ];
  const wasInitialized = findCondition(old.conditions, 'Initialized')?.status === 'True';
  if (messages.length === 0 || wasInitialized) return TRUE;
  return refused('ContainersNotInitialized', messages.join(', '));
}

/** The condition PodReadyToStartContainers: whether the pod has its sandbox with a network. */
export const podReadyToStartContainersCondition = (pod: Pod, status: RuntimePodStatus): PodCondition =>
  conditionFor(pod, 'PodReadyToStartContainers', {
    status: podSandboxChanged(pod, status).createSandbox ? 'False' : 'True',
  });

/** The condition PodReadyToStartContainers of a pod whose sandbox was just created. */
export const sandboxReadyCondition = (pod: Pod): PodCondition => conditionFor(pod, 'PodReadyToStartContainers', TRUE);

/** The condition PodScheduled, which is true for every pod on a node. */
export const podScheduledCondition = (pod: Pod): PodCondition => conditionFor(pod, 'PodScheduled', TRUE);

/** The condition AllContainersRestarting, for pods whose restart rules can cause it. It has no generation. */
export function allContainersRestartingCondition(
  pod: Pod,
  old: PodStatus,
  status: RuntimePodStatus,
  phase: string | undefined,
): PodCondition {
  const { observedGeneration: _, ...condition } = conditionFor(
    pod,
    'AllContainersRestarting',
    restarting(pod, old, status, phase),
  );
  return condition;
}

function restarting(pod: Pod, old: PodStatus, status: RuntimePodStatus, phase: string | undefined): Verdict {
  if (phase === 'Succeeded') return refused('PodCompleted');
  if (phase === 'Failed') return refused('PodFailed');
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  const isCleanedUp = containers.every(({ name }) => findContainerStatus(status, name) === undefined);
  if (isCleanedUp || !allContainersRestart(pod, status, old)) return { status: 'False' };
  const message = 'container exited with restart policy rule';
  return { status: 'True', reason: 'RestartAllContainersStarted', message };
}

/** The conditions ContainersReady and Ready of a pod in a terminal phase. */
export function conditionsForTerminalPhase(pod: Pod, phase: string | undefined): PodCondition[] {
  const verdict: Verdict = refused(phase === 'Failed' ? 'PodFailed' : 'PodCompleted');
  return ['ContainersReady', 'Ready'].map((type) => conditionFor(pod, type, verdict));
}
