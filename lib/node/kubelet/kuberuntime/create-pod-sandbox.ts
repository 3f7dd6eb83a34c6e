import type { Pod } from '#lib/api/types/core.v1.ts';
import { normalizeSysctl } from '#lib/helpers/component-helpers/node/sysctl.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { podText } from '../container/container-ref.ts';
import { KubeletError, type SyncResult } from '../container/sync-result.ts';
import { podSandboxIPs } from './pod-status.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import { generatePodSandboxConfig } from './sandbox-config.ts';

/** A sandbox that is ready. */
export interface ReadySandbox {
  readonly id: string;
  readonly ips: readonly string[];
}

/**
 * Creates a sandbox after dynamic resources are prepared. On failure it records an event and returns undefined. Its result is added to
 * `results`, unless the pod is about to terminate. Throws if the runtime does not return the sandbox's status (upstream: step 4 of
 * SyncPod).
 */
export async function createPodSandbox(
  ports: RuntimePorts,
  pod: Pod,
  attempt: number,
  results: SyncResult[],
): Promise<ReadySandbox | undefined> {
  const { recorder, helper, podState } = ports;
  const target = podText(pod);
  const action = 'CreatePodSandbox';
  try {
    await helper.prepareDynamicResources(pod);
  } catch (error) {
    results.push({ action, target });
    const message = `Failed to prepare dynamic resources: ${messageOfError(error)}`;
    recorder.event(pod, 'Warning', 'FailedPrepareDynamicResources', message);
    return undefined;
  }
  let id: string;
  try {
    id = await runPodSandbox(ports, pod, attempt);
  } catch (error) {
    if (podState.isPodTerminationRequested(pod.metadata.uid ?? '')) {
      results.push({ action, target });
      return undefined;
    }
    const message = error instanceof KubeletError ? error.message : messageOfError(error);
    const cause = error instanceof KubeletError ? error.cause : error;
    results.push({ action, target, error: new KubeletError('CreatePodSandboxError', message, { cause }) });
    const text = `Failed to create pod sandbox: ${messageOfError(cause)}`;
    recorder.event(pod, 'Warning', 'FailedCreatePodSandBox', text);
    return undefined;
  }
  results.push({ action, target });
  return readySandbox(ports, pod, id);
}

async function readySandbox(ports: RuntimePorts, pod: Pod, id: string): Promise<ReadySandbox> {
  const { recorder, runtime, helper, report } = ports;
  const { status } = await runtime.podSandboxStatus({ podSandboxId: id }).catch((error: unknown) => {
    const message = `Unable to get pod sandbox status: ${messageOfError(error)}`;
    recorder.event(pod, 'Warning', 'FailedPodSandBoxStatus', message);
    throw error;
  });
  if (status === undefined) throw new Error('pod sandbox status is nil');
  await helper
    .podSandboxReady(pod)
    .catch((error: unknown) => report(`telling that the sandbox of pod ${podText(pod)} is ready failed`, error));
  return { id, ips: pod.spec.hostNetwork === true ? [] : podSandboxIPs(status) };
}

/** Throws KubeletError with the message for the result. Its cause has the message for the event. */
async function runPodSandbox(ports: RuntimePorts, pod: Pod, attempt: number): Promise<string> {
  const { runtime, files, lookupRuntimeHandler } = ports;
  const step = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      const message = `Failed to ${what} for pod "${podText(pod)}": ${messageOfError(cause)}`;
      throw new KubeletError('CreatePodSandboxError', message, { cause });
    }
  };
  const config = await step('generate sandbox config', () =>
    generatePodSandboxConfig(withDottedSysctls(pod), attempt, ports),
  );
  await step('create log directory', () => files.makeFolder(config.logDirectory));
  return step('create sandbox', async () => {
    const runtimeHandler = lookupRuntimeHandler(pod.spec.runtimeClassName);
    return (await runtime.runPodSandbox({ config, runtimeHandler })).podSandboxId;
  });
}

/** Converts sysctl names to the form with dots, as the runtime requires (upstream: ConvertPodSysctlsVariableToDotsSeparator). */
function withDottedSysctls(pod: Pod): Pod {
  const { securityContext } = pod.spec;
  if (securityContext?.sysctls === undefined) return pod;
  const sysctls = securityContext.sysctls.map((one) => ({ ...one, name: normalizeSysctl(one.name) }));
  return { ...pod, spec: { ...pod.spec, securityContext: { ...securityContext, sysctls } } };
}
