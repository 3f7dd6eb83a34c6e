import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { podText } from '../container/container-ref.ts';
import { commonOf, findContainerStatus, runningPodOf } from '../container/helpers.ts';
import type { RuntimePodStatus, SyncPodOptions } from '../container/runtime.ts';
import { KubeletError, type PodSyncResult, type SyncAction, type SyncResult } from '../container/sync-result.ts';
import { computePodActions } from './compute-pod-actions.ts';
import { createPodSandbox } from './create-pod-sandbox.ts';
import { doBackOff } from './do-backoff.ts';
import { doPodResize, needsResize } from './do-pod-resize.ts';
import { ImageVolumes } from './image-volumes.ts';
import { killContainer } from './kill-container.ts';
import { killPodWithResults } from './kill-pod.ts';
import type { PodActions } from './pod-actions.ts';
import { pruneInitContainers, purgeInitContainers, removeContainer } from './remove-container.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import { generatePodSandboxConfig } from './sandbox-config.ts';
import { startContainer } from './start-container.ts';
import type { StartContext } from './start-context.ts';

/** The steps of a sync so far. `add` returns whether the step succeeded. */
class Steps {
  readonly results: SyncResult[] = [];

  async add(action: SyncAction, target: string, work: () => Promise<void>, reason = ''): Promise<boolean> {
    try {
      await work();
      this.results.push({ action, target });
      return true;
    } catch (error) {
      const known = error instanceof KubeletError ? error : undefined;
      this.results.push({
        action,
        target,
        error: known ?? new KubeletError(reason, messageOfError(error), { cause: error }),
      });
      return false;
    }
  }
}

/**
 * Reconciles a pod one step towards its spec: kills, sandbox, ephemeral containers, init containers, containers. Never throws: failures are
 * in the result (upstream: SyncPod).
 */
export async function syncPod(
  ports: RuntimePorts,
  pod: Pod,
  status: RuntimePodStatus,
  options: SyncPodOptions,
): Promise<PodSyncResult> {
  const steps = new Steps();
  try {
    await syncSteps(ports, { pod, status, options, steps });
    return { results: steps.results };
  } catch (error) {
    return { results: steps.results, error: new KubeletError('', messageOfError(error), { cause: error }) };
  }
}

interface Sync {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  readonly options: SyncPodOptions;
  readonly steps: Steps;
}

async function syncSteps(ports: RuntimePorts, sync: Sync): Promise<void> {
  const { pod, status, options, steps } = sync;
  const { probes, actuated } = ports;
  const { restartAllContainers } = options;
  const actions = computePodActions({ pod, status, probes, actuated, restartAllContainers });
  if (actions.createSandbox && actions.sandboxID !== '')
    ports.recorder.event(pod, 'Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
  if (!(await endContainers(ports, sync, actions))) return;
  await pruneInitContainers(ports, pod, status);
  const sandbox = actions.createSandbox
    ? await createPodSandbox(ports, pod, actions.attempt, steps.results)
    : { id: actions.sandboxID, ips: status.ips };
  if (sandbox === undefined) return;
  const sandboxConfig = await generatePodSandboxConfig(pod, actions.attempt, ports).catch((error: unknown) => {
    throw new Error(`GeneratePodSandboxConfig for pod "${podText(pod)}" failed: ${messageOfError(error)}`, {
      cause: error,
    });
  });
  const { pullSecrets, signal } = options;
  // The sandbox of a pod on the host's network has no addresses. The pod uses those of its node, from its status.
  const podIPs = pod.spec.hostNetwork === true ? status.ips : sandbox.ips;
  const context = { pod, status, sandboxID: sandbox.id, sandboxConfig, podIPs, pullSecrets, signal };
  if (startsSome(actions) && pod.spec.hostNetwork !== true) await ports.admitNetwork?.(pod, podIPs, signal);
  await startContainers(ports, context, actions, steps);
}

const startsSome = (actions: PodActions): boolean =>
  [actions.ephemeralContainersToStart, actions.initContainersToStart, actions.containersToStart].some(
    ({ length }) => length > 0,
  );

/** Kills containers that must not run. Returns false if that failed. */
async function endContainers(ports: RuntimePorts, { pod, status, steps }: Sync, actions: PodActions): Promise<boolean> {
  if (actions.killPod) {
    const results = await killPodWithResults(ports, pod, runningPodOf(status));
    steps.results.push(...results);
    if (results.some(({ error }) => error !== undefined)) return false;
    if (actions.createSandbox) await purgeInitContainers(ports, pod, status);
    return true;
  }
  releaseResources(ports, pod, status);
  for (const { id, name, message, reason } of actions.containersToKill) {
    const kill = () => killContainer(ports, { pod, id, name, message, reason });
    if (!(await steps.add('KillContainer', name, kill, 'KillContainerError'))) return false;
  }
  for (const { id, name, kill } of actions.containersToReset) {
    const reset = async (): Promise<void> => {
      if (kill) await killToReset(ports, pod, { id, name });
      await removeContainer(ports, id, { keepLogs: true });
    };
    if (!(await steps.add('RemoveContainer', name, reset, 'RemoveContainerError'))) return false;
  }
  return true;
}

async function killToReset(
  ports: RuntimePorts,
  pod: Pod,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  try {
    const reason = 'RestartAllContainers';
    await killContainer(ports, { pod, id, name, message: 'killing', reason, gracePeriodOverride: 0 });
  } catch (error) {
    throw new KubeletError('KillContainerError', messageOfError(error), { cause: error });
  }
}

/** Releases the CPUs of containers that do not run, before others start. */
function releaseResources({ containerManager }: RuntimePorts, { spec }: Pod, status: RuntimePodStatus): void {
  for (const { name } of spec.containers ?? []) {
    const last = findContainerStatus(status, name);
    if (last !== undefined && last.state !== 'running') containerManager.postStopContainer(last.id);
  }
}

async function startContainers(
  ports: RuntimePorts,
  context: StartContext,
  actions: PodActions,
  steps: Steps,
): Promise<void> {
  const { pod, status, signal } = context;
  const volumes = await ImageVolumes.pull(ports, context);
  const start = (container: Container, targetContainerName?: string): Promise<boolean> =>
    steps.add('StartContainer', container.name, async () => {
      signal?.throwIfAborted();
      doBackOff(ports, pod, container, status);
      const imageVolumes = volumes.of(container);
      await startContainer(ports, context, { container, targetContainerName, imageVolumes });
    });
  for (const container of actions.ephemeralContainersToStart)
    await start(commonOf(container), container.targetContainerName);
  for (const container of actions.initContainersToStart) if (!(await start(container)) && !isSidecar(container)) return;
  if (needsResize(actions))
    await steps.add('ResizePodInPlace', podText(pod), () => doPodResize(ports, pod, actions), 'ResizePodInPlaceError');
  for (const container of actions.containersToStart) await start(container);
}
