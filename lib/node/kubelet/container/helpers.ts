import type { Container, EphemeralContainer, Pod } from '#lib/api/types/core.v1.ts';
import { containerShouldRestart } from '#lib/helpers/component-helpers/pod/should-restart.ts';
import type { typed } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { PodSandboxState, type PodSandboxStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RunningPod, RuntimeContainer, RuntimeContainerStatus, RuntimePodStatus } from './runtime.ts';

/** The newest attempt of a container (upstream: FindContainerStatusByName). */
export const findContainerStatus = (
  { containerStatuses }: Pick<RuntimePodStatus, 'containerStatuses'>,
  name: string,
): RuntimeContainerStatus | undefined => containerStatuses.find((one) => one.name === name);

/** Whether a container that is not running should be started (upstream: ShouldContainerBeRestarted). */
export function shouldContainerBeRestarted(container: Container, pod: Pod, status: RuntimePodStatus): boolean {
  if (isDeleting(pod)) return false;
  const last = findContainerStatus(status, container.name);
  if (last === undefined) return true;
  if (last.state === 'running') return false;
  return last.state !== 'exited' || containerShouldRestart(container, pod, last.exitCode);
}

/** The common fields of an ephemeral container. */
export const commonOf = (container: Omit<EphemeralContainer, typeof typed>): Container => container;

/** The spec of a container by name, including ephemeral and init containers (upstream: GetContainerSpec). */
export function containerSpecOf({ spec }: Pod, name: string): Container | undefined {
  const ephemeral = spec.ephemeralContainers?.map(commonOf) ?? [];
  return [...(spec.containers ?? []), ...(spec.initContainers ?? []), ...ephemeral].find((one) => one.name === name);
}

/** The running containers and all sandboxes of a status (upstream: ConvertPodStatusToRunningPod). */
export function runningPodOf(status: RuntimePodStatus): RunningPod {
  const { uid, name, namespace } = status;
  const running = status.containerStatuses.filter(({ state }) => state === 'running');
  return {
    uid,
    name,
    namespace,
    createdAt: 0,
    containers: running.map((one) => ({ ...one, podSandboxID: '' })),
    sandboxes: status.sandboxStatuses.map(sandboxContainer),
  };
}

/** Represents a sandbox as a container. A ready one counts as running (upstream: SandboxToContainerState). */
export const sandboxContainer = ({
  id,
  state,
  createdAt,
}: Pick<PodSandboxStatus, 'id' | 'state' | 'createdAt'>): RuntimeContainer => ({
  id,
  name: '',
  image: '',
  imageID: '',
  imageRef: '',
  imageRuntimeHandler: '',
  hash: '',
  state: SANDBOX_STATES.get(state) ?? 'unknown',
  podSandboxID: id,
  createdAt: millisecondsOf(createdAt),
});

const SANDBOX_STATES: ReadonlyMap<PodSandboxState, RuntimeContainer['state']> = new Map([
  [PodSandboxState.SANDBOX_READY, 'running'],
  [PodSandboxState.SANDBOX_NOTREADY, 'exited'],
]);

/** Converts nanoseconds since 1970 to milliseconds, with microseconds as the fraction. */
export const millisecondsOf = (nanoseconds: bigint): number => Number(nanoseconds / 1000n) / 1000;
