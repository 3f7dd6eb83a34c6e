import type { Container, ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { defined } from '#lib/machinery/defined.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { containerSpecOf, findContainerStatus, shouldContainerBeRestarted } from '../container/helpers.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../container/runtime.ts';
import { containerResources } from './container-resources.ts';
import {
  CONTAINER_STATUS_UNKNOWN,
  type ConversionFacts,
  convertContainerStatus,
  UNKNOWN_EXIT,
  userOf,
  volumeMountStatuses,
} from './container-status.ts';
import { RESTARTING_ALL_CONTAINERS } from './phase.ts';

/** The reason why a container could not be started. */
export interface StartFailure {
  /** One of the kubelet's reasons, such as `CrashLoopBackOff` or `ErrImagePull`. */
  readonly reason: string;
  readonly message: string;
}

/** The facts about a pod for the statuses of its containers. */
export interface StatusFacts extends ConversionFacts {
  readonly pod: Pod;
  readonly runtime: RuntimePodStatus;
  /** Whether the runtime supports recursive read-only mounts. */
  readonly supportsRecursiveReadOnly: boolean;
  /** The reason why a container could not be started at the last attempt, or undefined after a success. */
  startFailure(container: string): StartFailure | undefined;
}

/** One of the container lists in a pod's spec, with the last reported statuses. */
export interface ContainerList {
  readonly containers: readonly Container[];
  readonly previous: readonly ContainerStatus[];
  readonly isInit: boolean;
}

/**
 * The statuses of a list of containers: init containers in the order of the spec, others by name (upstream: convertToAPIContainerStatuses).
 */
export function containerStatuses(facts: StatusFacts, list: ContainerList): ContainerStatus[] {
  const old = new Map(list.previous.map((one) => [one.name, one]));
  const statuses = new Map(
    list.containers.map((container) => [container.name, defaultStatus(facts, container, old.get(container.name))]),
  );
  for (const { name } of list.containers) {
    const [status, before] = [statuses.get(name), old.get(name)];
    if (status === undefined || before === undefined || findContainerStatus(facts.runtime, name) !== undefined)
      continue;
    inferEnd(facts, status, before);
  }
  setObserved(facts, statuses, old);
  for (const container of list.containers) {
    const status = statuses.get(container.name);
    if (status !== undefined) setStartFailure(facts, container, status, list.isInit);
  }
  const shown = [...statuses.values()];
  return list.isInit ? shown : shown.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const waitingReason = ({ pod }: StatusFacts): string =>
  (pod.spec.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating';

/** The initial status is waiting, unless the container was reported as terminated. */
function defaultStatus(facts: StatusFacts, container: Container, old: ContainerStatus | undefined): ContainerStatus {
  if (old?.state.terminated !== undefined) return clone(old);
  const volumeMounts = volumeMountStatuses(container, facts.supportsRecursiveReadOnly);
  return {
    name: container.name,
    state: { waiting: { reason: waitingReason(facts) } },
    lastState: clone(old?.lastState ?? {}),
    ready: false,
    restartCount: old?.restartCount ?? 0,
    image: container.image ?? '',
    imageID: '',
    ...(volumeMounts.length === 0 ? {} : { volumeMounts }),
  };
}

/** Records the exit of a container that was reported as running and no longer exists in the runtime. */
function inferEnd(facts: StatusFacts, status: ContainerStatus, old: ContainerStatus): void {
  if (facts.isPodRestarting && old.state.waiting === undefined) {
    const text = {
      reason: RESTARTING_ALL_CONTAINERS,
      message: 'The container is removed because RestartAllContainers in place',
    };
    status.state = { waiting: text };
    status.lastState = { terminated: { exitCode: UNKNOWN_EXIT, ...text, startedAt: null, finishedAt: null } };
    status.restartCount = old.restartCount + 1;
    return;
  }
  if (old.state.terminated !== undefined || old.state.running === undefined) return;
  if (status.state.waiting?.reason !== waitingReason(facts) || status.lastState.terminated !== undefined) return;
  status.lastState = {
    terminated: {
      exitCode: UNKNOWN_EXIT,
      reason: CONTAINER_STATUS_UNKNOWN,
      message: 'The container could not be located when the pod was deleted.  The container used to be Running',
      startedAt: null,
      finishedAt: null,
    },
  };
  if (!isDeleting(facts.pod)) status.restartCount++;
}

/** Sets the state and last state of each container from its two newest attempts. */
function setObserved(
  facts: StatusFacts,
  statuses: Map<string, ContainerStatus>,
  old: ReadonlyMap<string, ContainerStatus>,
): void {
  const newestFirst = [...facts.runtime.containerStatuses].sort((a, b) => b.createdAt - a.createdAt);
  const seen = new Map<string, number>();
  for (const actual of newestFirst) {
    const { name } = actual;
    const [shown, attempts] = [statuses.get(name), seen.get(name) ?? 0];
    if (shown === undefined || attempts >= 2) continue;
    seen.set(name, attempts + 1);
    const status = observed(facts, actual, old.get(name));
    if (attempts === 0) statuses.set(name, status);
    else shown.lastState = status.state;
  }
}

function observed(
  facts: StatusFacts,
  actual: RuntimeContainerStatus,
  old: ContainerStatus | undefined,
): ContainerStatus {
  const status = convertContainerStatus(actual, old, facts);
  const spec = containerSpecOf(facts.pod, actual.name);
  return {
    ...status,
    ...(actual.state === 'running' ? defined({ started: old?.started }) : {}),
    ...(spec === undefined
      ? {}
      : defined({
          resources: containerResources(spec, status, actual, old),
          allocatedResources: spec.resources.requests,
        })),
    ...defined({ user: userOf(actual) }),
  };
}

/** A container that should start waits with the reason why it could not. */
function setStartFailure(facts: StatusFacts, container: Container, status: ContainerStatus, isInit: boolean): void {
  if (isInit && isInitDone(facts, container, status)) return;
  if (!shouldContainerBeRestarted(container, facts.pod, facts.runtime)) return;
  const failure = facts.startFailure(container.name);
  if (failure === undefined) return;
  if (status.state.terminated !== undefined) status.lastState = status.state;
  const { reason, message } = failure;
  status.state = { waiting: { reason, ...(message === '' ? {} : { message }) } };
}

/**
 * Whether an init container never starts again. If it no longer exists and regular containers have been created, it counts as completed.
 */
function isInitDone({ pod, runtime }: StatusFacts, container: Container, status: ContainerStatus): boolean {
  const last = findContainerStatus(runtime, container.name);
  if (last !== undefined) return last.state === 'exited' && last.exitCode === 0;
  const isCreated = (pod.spec.containers ?? []).some(({ name }) => {
    const main = findContainerStatus(runtime, name);
    return main !== undefined && main.state !== 'unknown';
  });
  if (!isCreated || isSidecar(container) || status.state.waiting === undefined) return false;
  const message =
    'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally';
  status.state = { terminated: { exitCode: 0, reason: 'Completed', message, startedAt: null, finishedAt: null } };
  return true;
}
