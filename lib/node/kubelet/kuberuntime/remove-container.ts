import type { Pod } from '#lib/api/types/core.v1.ts';
import { podText } from '../container/container-ref.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../container/runtime.ts';
import { containerInfoFromLabels } from './container-info.ts';
import { legacyLogSymlink } from './legacy-logs.ts';
import type { RuntimePorts } from './runtime-ports.ts';

/** The ports of a removal. */
export type RemovePorts = Pick<RuntimePorts, 'runtime' | 'files' | 'logRotation' | 'containerManager' | 'report'>;

/** Removes a container that is not running. Removes its logs first, so that a failure is retried (upstream: removeContainer). */
export async function removeContainer(
  ports: RemovePorts,
  id: string,
  { keepLogs }: { readonly keepLogs: boolean },
): Promise<void> {
  ports.containerManager.postStopContainer(id);
  if (!keepLogs) await removeLogs(ports, id);
  await ports.runtime.removeContainer({ containerId: id });
}

/** Removes a container's log, the rotated logs and the link to the log. */
async function removeLogs({ runtime, files, logRotation }: RemovePorts, id: string): Promise<void> {
  await logRotation.clean(id);
  const { status } = await runtime.containerStatus({ containerId: id });
  if (status === undefined) throw new Error('container status is nil');
  const { podName: name, podNamespace: namespace, containerName: container } = containerInfoFromLabels(status.labels);
  await files.remove(legacyLogSymlink(id, { name, namespace, container }));
}

/** Removes all attempts of init containers except the newest exited one of each (upstream: pruneInitContainersBeforeStart). */
export async function pruneInitContainers(ports: RemovePorts, pod: Pod, status: RuntimePodStatus): Promise<void> {
  for (const attempts of initAttempts(pod, status)) {
    const ended = attempts.filter(({ state }) => state === 'exited' || state === 'unknown');
    await removeAll(ports, pod, ended.slice(1));
  }
}

/** Removes all init containers after they were stopped (upstream: purgeInitContainers). */
export async function purgeInitContainers(ports: RemovePorts, pod: Pod, status: RuntimePodStatus): Promise<void> {
  for (const attempts of initAttempts(pod, status)) await removeAll(ports, pod, attempts);
}

const initAttempts = ({ spec }: Pod, { containerStatuses }: RuntimePodStatus): RuntimeContainerStatus[][] =>
  (spec.initContainers ?? []).map((container) => containerStatuses.filter(({ name }) => name === container.name));

async function removeAll(ports: RemovePorts, pod: Pod, attempts: readonly RuntimeContainerStatus[]): Promise<void> {
  for (const { id, name } of attempts) {
    try {
      await removeContainer(ports, id, { keepLogs: false });
    } catch (error) {
      ports.report(`removing init container ${name} of pod ${podText(pod)} failed`, error);
    }
  }
}
