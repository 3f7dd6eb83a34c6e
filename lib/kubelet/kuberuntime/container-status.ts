import { type ContainerStatus, ContainerState } from '#lib/cri-api/generated/runtime-v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { millisecondsOf } from '../container/helpers.ts';
import type { Mount, RuntimeContainerStatus } from '../container/runtime.ts';
import { absolutePath } from './container-config.ts';
import type { ContainerFiles } from './container-files.ts';
import { containerInfoFromAnnotations, containerInfoFromLabels } from './container-info.ts';
import { containerState } from './list-pods.ts';

/** Bytes of a termination message. */
const MESSAGE_LENGTH = 4096;
/** The end of a log that stands for a termination message. */
const LOG_TAIL = { lines: 80, bytes: 2048 };

/** The status of a container with its termination message (upstream: convertToKubeContainerStatus). */
export async function convertContainerStatus(
  files: Pick<ContainerFiles, 'readTail' | 'readLogTail'>,
  status: ContainerStatus,
): Promise<RuntimeContainerStatus> {
  const { hash, restartCount } = containerInfoFromAnnotations(status.annotations);
  const hasEnded = status.state === ContainerState.CONTAINER_EXITED;
  return {
    id: status.id,
    name: containerInfoFromLabels(status.labels).containerName,
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
    message: hasEnded ? await messageOf(files, status) : '',
    resources: status.resources,
    user: status.user?.linux,
    mounts: status.mounts.map(mountOf),
  };
}

async function messageOf(
  files: Pick<ContainerFiles, 'readTail' | 'readLogTail'>,
  status: ContainerStatus,
): Promise<string> {
  const { terminationMessagePolicy } = containerInfoFromAnnotations(status.annotations);
  const written = await terminationMessage(files, status);
  // A container that could not be started has no log.
  const fallsBack =
    terminationMessagePolicy === 'FallbackToLogsOnError' &&
    status.exitCode !== 0 &&
    status.reason !== 'ContainerCannotRun';
  const own = written === '' && fallsBack ? await logTail(files, status.logPath) : written;
  return [status.message, own].filter((text) => text !== '').join(': ');
}

/** What the container wrote to its `terminationMessagePath`. */
async function terminationMessage(
  files: Pick<ContainerFiles, 'readTail'>,
  { annotations, mounts }: ContainerStatus,
): Promise<string> {
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

async function logTail(files: Pick<ContainerFiles, 'readLogTail'>, path: string): Promise<string> {
  try {
    return await files.readLogTail(path, LOG_TAIL);
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
