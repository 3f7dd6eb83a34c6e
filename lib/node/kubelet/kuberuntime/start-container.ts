import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { unlessAborted } from '#lib/machinery/wait/unless-aborted.ts';
import type { ContainerConfig, PodSandboxConfig } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { containerFieldPath, podText } from '../container/container-ref.ts';
import { KubeletError } from '../container/sync-result.ts';
import { recordContainerEvent } from './container-events.ts';
import { killContainer } from './kill-container.ts';
import { legacyLogSymlink } from './legacy-logs.ts';
import { makeContainerConfig, restartCountOf } from './make-container-config.ts';
import { givenResources } from './resize.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import type { StartContext, StartSpec } from './start-context.ts';

/**
 * Pulls the image, creates and starts the container, and runs its hook. Throws KubeletError with the reason that a waiting container shows
 * (upstream: startContainer).
 */
export async function startContainer(ports: RuntimePorts, context: StartContext, spec: StartSpec): Promise<void> {
  const { pod } = context;
  const { container } = spec;
  const fail = (error: unknown, reason: string, prefix = 'Error: '): KubeletError =>
    failed(ports, { pod, container, error, reason, prefix });
  const imageRef = await pullImage(ports, context, container);
  const restartCount = await restartCountOf(ports, context, container);
  let cleanup: (() => Promise<void>) | undefined;
  try {
    const made = await makeContainerConfig(ports, context, spec, { imageRef, restartCount }).catch((error: unknown) => {
      throw fail(error, 'CreateContainerConfigError');
    });
    cleanup = made.cleanup;
    const { config } = made;
    await ports.actuated
      .setContainerResources(uidOf(pod), container.name, givenResources(pod, container))
      .catch((error: unknown) => {
        throw fail(error, 'CreateContainerConfigError');
      });
    await ports.containerManager.preCreateContainer(pod, container, config).catch((error: unknown) => {
      throw fail(error, 'PreCreateHookError', 'Internal PreCreateContainer hook failed: ');
    });
    const { sandboxID: podSandboxId, sandboxConfig } = context;
    const { containerId } = await ports.runtime
      .createContainer({ podSandboxId, config, sandboxConfig })
      .catch((error: unknown) => {
        throw fail(error, 'CreateContainerError');
      });
    await run(ports, context, { container, config, id: containerId });
  } finally {
    await cleanup?.().catch((error: unknown) => ports.report('cleaning up subpaths failed', error));
  }
}

interface Created {
  readonly container: Container;
  readonly config: ContainerConfig;
  readonly id: string;
}

async function run(ports: RuntimePorts, context: StartContext, created: Created): Promise<void> {
  const { pod, sandboxConfig, signal } = context;
  const { container, config, id } = created;
  const fail = (error: unknown, reason: string, prefix = 'Error: '): KubeletError =>
    failed(ports, { pod, container, error, reason, prefix, containerID: id });
  const event = { pod, container, type: 'Normal', containerID: id } as const;
  attempt(
    () => ports.containerManager.preStartContainer(pod, container, id),
    (error) => fail(error, 'PreStartHookError', 'Internal PreStartContainer hook failed: '),
  );
  recordContainerEvent(ports, { ...event, reason: 'Created', message: 'Container created' });
  await ports.runtime.startContainer({ containerId: id }).catch((error: unknown) => {
    throw fail(error, 'RunContainerError');
  });
  recordContainerEvent(ports, { ...event, reason: 'Started', message: 'Container started' });
  await linkLog(ports, id, { config, sandboxConfig });
  await runPostStartHook(ports, pod, created, signal);
}

async function pullImage(ports: RuntimePorts, context: StartContext, container: Container): Promise<string> {
  const { pod, pullSecrets, sandboxConfig, signal } = context;
  try {
    return await ports.images.ensureImageExists({
      pod,
      container,
      image: container.image ?? '',
      pullPolicy: container.imagePullPolicy ?? '',
      pullSecrets,
      sandboxConfig,
      runtimeHandler: '', // the gate RuntimeClassInImageCriAPI is off
      fieldPath: containerFieldPath(pod, container),
      ...defined({ signal }),
    });
  } catch (error) {
    if (!(error instanceof KubeletError))
      throw failed(ports, { pod, container, error, reason: 'ErrImagePull', prefix: 'Error: ' });
    const message = `Error: ${error.reason}`;
    recordContainerEvent(ports, { pod, container, type: 'Warning', reason: 'Failed', message });
    throw error;
  }
}

/** Links the log into the directory of log collectors, if it exists. A failure does not stop the container. */
async function linkLog(
  { files, report }: RuntimePorts,
  id: string,
  { config, sandboxConfig }: { readonly config: ContainerConfig; readonly sandboxConfig: PodSandboxConfig },
): Promise<void> {
  const { name = '', namespace = '' } = sandboxConfig.metadata ?? {};
  const link = legacyLogSymlink(id, { name, namespace, container: config.metadata?.name ?? '' });
  const log = `${sandboxConfig.logDirectory}/${config.logPath}`;
  try {
    if (await files.exists(log)) await files.symlink(log, link);
  } catch (error) {
    report(`the link ${link} to a log cannot be made`, error);
  }
}

/**
 * Waits for the hook until the signal aborts because the pod terminates. The container is then killed with the pod and its current grace
 * period.
 */
async function runPostStartHook(
  ports: RuntimePorts,
  pod: Pod,
  { container, id }: Created,
  signal: AbortSignal | undefined,
): Promise<void> {
  const postStart = container.lifecycle?.postStart;
  if (postStart === undefined) return;
  try {
    const hook = ports.hooks.run(id, pod, container, postStart, signal);
    await (signal === undefined ? hook : unlessAborted(hook, signal, { error: () => new Error('context canceled') }));
  } catch (error) {
    ports.report(`PostStart hook of container ${container.name} in pod ${podText(pod)} failed`, error);
    const reason = 'FailedPostStartHook';
    const event = { pod, container, containerID: id, reason } as const;
    recordContainerEvent(ports, { ...event, type: 'Warning', message: 'PostStartHook failed' });
    const kill = { pod, id, name: container.name, message: reason, reason } as const;
    if (signal?.aborted !== true)
      await killContainer(ports, kill).catch((failure: unknown) =>
        ports.report(`killing container ${container.name} in pod ${podText(pod)} failed`, failure),
      );
    throw new KubeletError('PostStartHookError', messageOfError(error), { cause: error });
  }
}

interface Failure {
  readonly pod: Pod;
  readonly container: Container;
  readonly error: unknown;
  readonly reason: string;
  /** Prefix for the message of the event. */
  readonly prefix: string;
  readonly containerID?: string;
}

/** Records the event `Failed`. The error contains the runtime's own text. */
function failed(
  ports: RuntimePorts,
  { pod, container, error, reason, prefix, containerID = '' }: Failure,
): KubeletError {
  const text = error instanceof RpcError ? error.details : messageOfError(error);
  const event = { pod, container, containerID, type: 'Warning', reason: 'Failed' } as const;
  recordContainerEvent(ports, { ...event, message: `${prefix}${text}` });
  return new KubeletError(reason, text, { cause: error });
}

function attempt(work: () => void, fail: (error: unknown) => KubeletError): void {
  try {
    work();
  } catch (error) {
    throw fail(error);
  }
}
