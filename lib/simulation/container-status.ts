import { createHash } from 'node:crypto';
import type {
  Container as ContainerSpec,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  EphemeralContainer,
  Pod,
  VolumeMount,
  VolumeMountStatus,
} from '#lib/api/types/core.v1.ts';
import type { Time } from '#lib/api/types/scalars.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { defined } from '#lib/machinery/defined.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { timeOf } from '#lib/machinery/time-at.ts';

/** The list in the spec that contains the container. Sidecars are distinguished from other init containers. */
export type ContainerKind = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** A container of a pod's spec. */
export interface Container {
  readonly pod: Pod;
  readonly spec: ContainerSpec | EphemeralContainer;
  readonly kind: ContainerKind;
}

/** The scheme of container ids, `simulated://` and a hash. No real runtime uses it. */
const SCHEME = 'simulated://';

/** The containers of one list of the spec. */
export function containersIn(pod: Pod, list: 'initContainers' | 'containers' | 'ephemeralContainers'): Container[] {
  const kinds = { initContainers: 'init', containers: 'main', ephemeralContainers: 'ephemeral' } as const;
  const specs: readonly Container['spec'][] = pod.spec[list] ?? [];
  return specs.map((spec) => ({
    pod,
    spec,
    kind: list === 'initContainers' && isSidecar(spec) ? 'sidecar' : kinds[list],
  }));
}

/** The running state of a container. Undefined if it is not running. */
export const runningState = (status: ContainerStatus | undefined): ContainerStateRunning | undefined =>
  status?.state.running;
/** The terminated state of a container. Undefined if it has not ended. */
export const terminatedState = (status: ContainerStatus | undefined): ContainerStateTerminated | undefined =>
  status?.state.terminated;
/** The terminated state of a container's previous run. */
export const lastTerminationState = (status: ContainerStatus | undefined): ContainerStateTerminated | undefined =>
  status?.lastState.terminated;
/** The exit code of a terminated run. 0 if there is none. */
export const exitCodeOf = (ended: ContainerStateTerminated | undefined): number => ended?.exitCode ?? 0;

/** A time in ms since 1970. 0 if absent. */
export const millisecondsOf = (time: Time | null | undefined): number => Date.parse(time ?? '') || 0;

/** The tolerance in ms for a stored time that is ahead of the clock. */
const AHEAD = 60_000;

/** Whether a time was stored before the clock was set back. The simulation does not wait for such a time. */
export const isAhead = (time: number, now: number): boolean => time > now + AHEAD;

/** A stored time in ms since 1970. 0 if absent, or if the clock has been set back since then. */
export function happenedAt(stored: Time | null | undefined, now: number): number {
  const time = millisecondsOf(stored);
  return isAhead(time, now) ? 0 : time;
}

/** The status of a waiting container. Keeps the state of earlier runs. */
export function waitingStatus(
  container: Container,
  before: ContainerStatus | undefined,
  waiting: ContainerStateWaiting,
): ContainerStatus {
  const ended = terminatedState(before) ?? lastTerminationState(before);
  return {
    ...common(container),
    ...(ended === undefined ? {} : ranAs(container, before)),
    ready: false,
    restartCount: before?.restartCount ?? 0,
    started: false,
    state: { waiting },
    lastState: ended === undefined ? {} : { terminated: ended },
  };
}

/** The status of a new run that starts now. */
export function runningStatus(container: Container, before: ContainerStatus | undefined, now: number): ContainerStatus {
  const last = terminatedState(before) ?? lastTerminationState(before);
  const restartCount = (before?.restartCount ?? 0) + (last === undefined ? 0 : 1);
  return {
    ...common(container),
    ...resourcesOf(container),
    imageID: `${SCHEME}sha256:${hashOf(container.spec.image ?? '')}`,
    containerID: containerId(container, restartCount),
    ready: false,
    restartCount,
    ...(container.kind === 'ephemeral' ? {} : { started: true }),
    state: { running: { startedAt: timeOf(now) } },
    lastState: last === undefined ? {} : { terminated: last },
  };
}

/** The status after the current run ends. */
export function endedStatus(
  container: Container,
  status: ContainerStatus,
  exitCode: number,
  now: number,
): ContainerStatus {
  const isComplete = exitCode === 0;
  return {
    ...status,
    ...resourcesOf(container),
    ready: container.kind === 'init' && isComplete,
    ...(status.started === undefined ? {} : { started: false }),
    state: {
      terminated: {
        exitCode,
        reason: isComplete ? 'Completed' : 'Error',
        startedAt: runningState(status)?.startedAt ?? '',
        finishedAt: timeOf(now),
        containerID: status.containerID ?? '',
      },
    },
  };
}

/** The status of a container that never ran and will not run any more (upstream: TerminatePod). */
export function lostStatus(status: ContainerStatus): ContainerStatus {
  const message = 'The container could not be located when the pod was terminated';
  const end = { exitCode: 137, reason: 'ContainerStatusUnknown', message, startedAt: null, finishedAt: null };
  return { ...status, state: { terminated: end } };
}

/** The fields common to every status of the container. */
function common({ spec }: Container): Pick<ContainerStatus, 'name' | 'image' | 'imageID' | 'volumeMounts'> {
  const mounts = (spec.volumeMounts ?? []).map((mount): VolumeMountStatus => {
    const { name, mountPath, readOnly } = mount;
    return { name, mountPath, ...(readOnly === true ? { readOnly, recursiveReadOnly: recursionOf(mount) } : {}) };
  });
  const volumeMounts = mounts.length === 0 ? {} : { volumeMounts: mounts };
  return { name: spec.name, image: spec.image ?? '', imageID: '', ...volumeMounts };
}

const recursionOf = ({ recursiveReadOnly = '' }: VolumeMount): string =>
  ['Enabled', 'IfPossible'].includes(recursiveReadOnly) ? 'Enabled' : 'Disabled';

type Resources = Pick<ContainerStatus, 'resources' | 'allocatedResources'>;

function ranAs(
  container: Container,
  before: ContainerStatus | undefined,
): Pick<ContainerStatus, 'imageID' | 'containerID'> & Resources {
  return { imageID: before?.imageID ?? '', containerID: before?.containerID ?? '', ...resourcesOf(container) };
}

function resourcesOf({ spec }: Container): Resources {
  const { claims: _claims, ...given } = spec.resources;
  return { resources: given, ...defined({ allocatedResources: given.requests }) };
}

const containerId = ({ pod, spec }: Container, restartCount: number): string =>
  `${SCHEME}${hashOf(`${uidOf(pod)}/${spec.name}/${restartCount}`)}`;

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex');
