import type {
  Container,
  ContainerState,
  ContainerStatus,
  ContainerUser,
  VolumeMount,
  VolumeMountStatus,
} from '#lib/api/types/core.v1.ts';
import { timeOf } from '#lib/controllers/workload/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { RuntimeContainerStatus } from '../container/runtime.ts';
import { resolveRecursiveReadOnly } from './mounts.ts';
import { RESTARTING_ALL_CONTAINERS } from './phase.ts';

/** The reason of a container whose end nobody saw. */
export const CONTAINER_STATUS_UNKNOWN = 'ContainerStatusUnknown';
/** The exit code of such an end. */
export const UNKNOWN_EXIT = 137;

/** The facts about a pod that the statuses of its containers share. */
export interface ConversionFacts {
  /** The runtime's name in container IDs: `containerd`. */
  readonly runtimeName: string;
  /** All containers of the pod start again. */
  readonly isPodRestarting: boolean;
}

/** The status that one attempt of a container means; `old` is the status that was reported last (upstream: convertContainerStatus). */
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
      // The runtime counts from 0 again where its containers were removed for a restart of all.
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

/** An end that nobody saw, as of a container that ran when it was told last. */
export const unknownEnd = (
  reason: string = CONTAINER_STATUS_UNKNOWN,
  message = 'The container could not be located when the pod was terminated',
): ContainerState => ({ terminated: { exitCode: UNKNOWN_EXIT, reason, message, startedAt: null, finishedAt: null } });

/** The end before this attempt, where another attempt was reported as ended; else what was reported. */
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

/** The identity of a container's first process, where the runtime tells it. */
export function userOf({ user }: RuntimeContainerStatus): ContainerUser | undefined {
  if (user === undefined) return undefined;
  const groups = user.supplementalGroups.map(Number);
  const supplementalGroups = groups.length === 0 ? {} : { supplementalGroups: groups };
  return { linux: { uid: Number(user.uid), gid: Number(user.gid), ...supplementalGroups } };
}

/** How the volumes of a container are mounted. `supportsRecursive`: the runtime can mount them read-only with everything below. */
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

/** A mount that cannot be what it asks for is refused when its container is created. */
function isRecursiveReadOnly(mount: VolumeMount, isSupported: boolean): boolean {
  try {
    return resolveRecursiveReadOnly(mount, isSupported);
  } catch {
    return false;
  }
}
