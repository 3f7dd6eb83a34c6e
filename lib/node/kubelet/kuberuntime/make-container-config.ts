import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { ContainerConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { findContainerStatus } from '../container/helpers.ts';
import type { RunContainerOptions } from '../container/runtime.ts';
import { generateContainerConfig } from './container-config.ts';
import { podLogsDirectory, restartCountOfLogs } from './log-paths.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import { imageUser } from './security-context.ts';
import type { StartContext, StartSpec } from './start-context.ts';

/** One more than the last attempt's count in the runtime, or in the log directory if the runtime has lost its state. */
export async function restartCountOf(
  { files, settings, report }: RuntimePorts,
  { pod, status }: StartContext,
  container: Container,
): Promise<number> {
  const last = findContainerStatus(status, container.name);
  if (last !== undefined) return last.restartCount + 1;
  const folder = logsFolder(settings.podLogsRoot, pod, container);
  try {
    return restartCountOfLogs(await files.list(folder));
  } catch (error) {
    report(`the restart count cannot be taken from ${folder}`, error);
    return 0;
  }
}

const logsFolder = (
  root: string,
  { metadata: { name = '', namespace = '', uid = '' } }: Pod,
  container: Container,
): string => `${podLogsDirectory(root, namespace, name, uid)}/${container.name}`;

/** The config, and a function that cleans up its subpaths after the container is created. If it throws, no cleanup is needed. */
export async function makeContainerConfig(
  ports: RuntimePorts,
  context: StartContext,
  { container, targetContainerName = '', imageVolumes }: StartSpec,
  { imageRef, restartCount }: { readonly imageRef: string; readonly restartCount: number },
): Promise<{ readonly config: ContainerConfig; cleanup(): Promise<void> }> {
  const { helper, settings, imageService, files } = ports;
  const { pod, podIPs, status } = context;
  const target = targetContainerName === '' ? undefined : findContainerStatus(status, targetContainerName);
  if (targetContainerName !== '' && target === undefined)
    throw new Error(`unable to find target container ${targetContainerName}`);
  const made = await helper.runContainerOptions(pod, container, podIPs, imageVolumes);
  try {
    const { image } = await imageService.imageStatus({ image: { image: container.image ?? '' } });
    await files.makeFolder(logsFolder(settings.podLogsRoot, pod, container));
    const terminationLog = await makeTerminationLog(ports, container, made.options);
    const config = generateContainerConfig(container, pod, {
      helper,
      settings,
      user: imageUser(image),
      restartCount,
      imageRef,
      options: made.options,
      ...defined({ targetContainerID: target?.id, terminationLog }),
    });
    return { config, cleanup: () => made.cleanup() };
  } catch (error) {
    await made.cleanup();
    throw error;
  }
}

/** Creates the file for the termination message. The container starts even if that fails. */
async function makeTerminationLog(
  { files, randomUint32, report }: RuntimePorts,
  { terminationMessagePath = '' }: Container,
  { podContainerDir }: RunContainerOptions,
): Promise<string | undefined> {
  if (terminationMessagePath === '' || podContainerDir === '') return undefined;
  const path = `${podContainerDir}/${randomUint32().toString(16).padStart(8, '0')}`;
  try {
    await files.createWritable(path);
    return path;
  } catch (error) {
    report(`error on creating termination-log file ${path}`, error);
    return undefined;
  }
}
