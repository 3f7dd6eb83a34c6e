import type {
  Container,
  ContainerState,
  ContainerStatus,
  ContainerUser,
  VolumeMount,
  VolumeMountStatus,
} from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import type { RuntimeContainerStatus } from '../container/runtime.ts';
import { resolveRecursiveReadOnly } from './mounts.ts';
import { RESTARTING_ALL_CONTAINERS } from './phase.ts';

/** The reason of a container whose exit was not observed. */
export const CONTAINER_STATUS_UNKNOWN = 'ContainerStatusUnknown';
/** The exit code of a container whose exit was not observed. */
export const UNKNOWN_EXIT = 137;

/** The facts about a pod that apply to all of its container statuses. */
export interface ConversionFacts {
  /** The runtime's name in container IDs: `containerd`. */
  readonly runtimeName: string;
  /** Whether all containers of the pod are restarting. */
  readonly isPodRestarting: boolean;
}

/** Converts the runtime's status of one attempt of a container. `old` is the last reported status (upstream: convertContainerStatus). */
export function convertContainerStatus(
  actual: RuntimeContainerStatus,
  old: ContainerStatus | undefined,
  { runtimeName, isPodRestarting }: ConversionFacts,
): ContainerStatus {
  const containerID = `${runtimeName}://${actual.id}`;
  const status: ContainerStatus = {
    name: actual.name,
    state: {},
    lastState: lastStateOf(containerID, old),
    ready: false,
    restartCount: Math.max(actual.restartCount, old?.restartCount ?? 0),
    image: actual.image,
    imageID: actual.imageRef,
    containerID,
    ...defined({ volumeMounts: old?.volumeMounts }),
  };
  switch (actual.state) {
    case 'running':
      status.state = { running: { startedAt: timeText(actual.startedAt) } };
      // The runtime's count starts at 0 again if the containers were removed for a restart of all.
      if (old?.state.terminated !== undefined && old.restartCount >= actual.restartCount)
        status.restartCount = old.restartCount + 1;
      return status;
    case 'created':
      status.state = { waiting: {} };
      return status;
    case 'exited':
      status.state = { terminated: endOf(actual, containerID) };
      return status;
    case 'unknown':
      if (old?.state.running === undefined) status.state = { waiting: {} };
      else {
        status.state = unknownEnd(isPodRestarting ? RESTARTING_ALL_CONTAINERS : CONTAINER_STATUS_UNKNOWN);
        status.restartCount = old.restartCount + 1;
      }
      return status;
    default:
      return actual.state satisfies never;
  }
}

/** The state of a container whose exit was not observed, such as one that was last reported as running. */
export const unknownEnd = (
  reason: string = CONTAINER_STATUS_UNKNOWN,
  message = 'The container could not be located when the pod was terminated',
): ContainerState => ({ terminated: { exitCode: UNKNOWN_EXIT, reason, message, startedAt: null, finishedAt: null } });

/** The exit before this attempt, if another attempt was reported as terminated. Otherwise the reported last state. */
function lastStateOf(containerID: string, old: ContainerStatus | undefined): ContainerState {
  const ended = old?.containerID === containerID ? undefined : old?.state.terminated;
  const terminated = ended ?? old?.lastState.terminated;
  return terminated === undefined ? {} : { terminated };
}

const endOf = (
  { exitCode, reason, message, startedAt, finishedAt }: RuntimeContainerStatus,
  containerID: string,
): NonNullable<ContainerState['terminated']> => ({
  exitCode,
  ...(reason === '' ? {} : { reason }),
  ...(message === '' ? {} : { message }),
  startedAt: timeText(startedAt),
  finishedAt: timeText(finishedAt),
  containerID,
});

const timeText = (time: number): string | null => (time === 0 ? null : timeOf(time));

/** The identity of a container's first process, if the runtime reports it. */
export function userOf({ user }: RuntimeContainerStatus): ContainerUser | undefined {
  if (user === undefined) return undefined;
  const groups = user.supplementalGroups.map(Number);
  const supplementalGroups = groups.length === 0 ? {} : { supplementalGroups: groups };
  return { linux: { uid: Number(user.uid), gid: Number(user.gid), ...supplementalGroups } };
}

/** The mount status of a container's volumes. `supportsRecursive` means that the runtime supports recursive read-only mounts. */
export const volumeMountStatuses = (
  { volumeMounts = [] }: Container,
  supportsRecursive: boolean,
): VolumeMountStatus[] =>
  volumeMounts.map((mount) => {
    const { name, mountPath, readOnly } = mount;
    if (readOnly !== true) return { name, mountPath };
    const isRecursive = isRecursiveReadOnly(mount, supportsRecursive);
    return { name, mountPath, readOnly, recursiveReadOnly: isRecursive ? 'Enabled' : 'Disabled' };
  });

/** The creation of the container fails if its mount is not possible. */
function isRecursiveReadOnly(mount: VolumeMount, isSupported: boolean): boolean {
  try {
    return resolveRecursiveReadOnly(mount, isSupported);
  } catch {
    return false;
  }
}
