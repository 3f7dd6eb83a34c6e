import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { ContainerState, type ContainerStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { PodResourceState } from '../allocation/pod-resource-state.ts';
import { millisecondsOf } from '../container/helpers.ts';
import type { Mount, RuntimeContainerStatus } from '../container/runtime.ts';
import { absolutePath } from './container-config.ts';
import type { ContainerFiles } from './container-files.ts';
import { containerInfoFromAnnotations, containerInfoFromLabels } from './container-info.ts';
import { containerState } from './list-pods.ts';
import type { LogFiles } from './logs/log-files.ts';
import { readLogs } from './logs/read-logs.ts';

/** Maximum length of a termination message in bytes. */
const MESSAGE_LENGTH = 4096;
/** The size of the log tail that replaces a termination message. */
const LOG_TAIL = { lines: 80, bytes: 2048 };

/** The files for termination messages, and the resources of containers. */
export interface StatusPorts {
  readonly actuated: Pick<PodResourceState, 'containerResources'>;
  readonly files: Pick<ContainerFiles, 'readTail'>;
  readonly logs: LogFiles;
}

/** The status of a container with its termination message (upstream: convertToKubeContainerStatus). */
export async function convertContainerStatus(
  ports: StatusPorts,
  status: ContainerStatus,
): Promise<RuntimeContainerStatus> {
  const { hash, restartCount } = containerInfoFromAnnotations(status.annotations);
  const { containerName: name, podUID } = containerInfoFromLabels(status.labels);
  const hasEnded = status.state === ContainerState.CONTAINER_EXITED;
  return {
    id: status.id,
    name,
    state: containerState(status.state),
    createdAt: millisecondsOf(status.createdAt),
    startedAt: status.state === ContainerState.CONTAINER_CREATED ? 0 : millisecondsOf(status.startedAt),
    finishedAt: hasEnded ? millisecondsOf(status.finishedAt) : 0,
    exitCode: hasEnded ? status.exitCode : 0,
    image: status.image?.image ?? '',
    imageID: status.imageId === '' ? status.imageRef : status.imageId,
    imageRef: status.imageRef,
    imageRuntimeHandler: status.image?.runtimeHandler ?? '',
    hash,
    restartCount,
    reason: hasEnded ? status.reason : '',
    message: hasEnded ? await messageOf(ports, status) : '',
    resources: status.resources,
    ...defined({ actuatedResources: ports.actuated.containerResources(podUID, name) }),
    user: status.user?.linux,
    mounts: status.mounts.map(mountOf),
  };
}

async function messageOf(ports: StatusPorts, status: ContainerStatus): Promise<string> {
  const { terminationMessagePolicy } = containerInfoFromAnnotations(status.annotations);
  const written = await terminationMessage(ports, status);
  // A container that failed to start has no log.
  const fallsBack =
    terminationMessagePolicy === 'FallbackToLogsOnError' &&
    status.exitCode !== 0 &&
    status.reason !== 'ContainerCannotRun';
  const own = written === '' && fallsBack ? await logTail(ports, status.logPath) : written;
  return [status.message, own].filter((text) => text !== '').join(': ');
}

/** The text that the container wrote to its `terminationMessagePath`. */
async function terminationMessage({ files }: StatusPorts, { annotations, mounts }: ContainerStatus): Promise<string> {
  const { terminationMessagePath: path } = containerInfoFromAnnotations(annotations);
  if (path === '') return '';
  const file = mounts.find(({ containerPath }) => containerPath === absolutePath(path))?.hostPath;
  if (file === undefined) return '';
  try {
    return (await files.readTail(file, MESSAGE_LENGTH)) ?? '';
  } catch (error) {
    return `Error on reading termination log ${file}: ${messageOfError(error)}`;
  }
}

async function logTail({ logs: files }: StatusPorts, path: string): Promise<string> {
  const options = { tailLines: LOG_TAIL.lines, follow: false, timestamps: false };
  const { signal } = new AbortController();
  let tail = Buffer.alloc(0);
  try {
    for await (const bytes of readLogs(path, options, { files, isRunning: async () => false }, signal))
      tail = Buffer.concat([tail, bytes]).subarray(-LOG_TAIL.bytes);
    return tail.toString();
  } catch (error) {
    return `Error on reading termination message from logs: ${messageOfError(error)}`;
  }
}

const mountOf = ({
  hostPath,
  containerPath,
  readonly: readOnly,
  ...rest
}: ContainerStatus['mounts'][number]): Mount => ({
  name: '',
  hostPath,
  containerPath,
  readOnly,
  recursiveReadOnly: rest.recursiveReadOnly,
  selinuxRelabel: rest.selinuxRelabel,
  propagation: rest.propagation,
  ...(rest.image === undefined ? {} : { image: rest.image }),
  imageSubPath: rest.imageSubPath,
});
