import type { Container, Pod, Probe } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import { podText } from '../container/container-ref.ts';
import { containerSpecOf } from '../container/helpers.ts';
import { recordContainerEvent } from './container-events.ts';
import { containerInfoFromAnnotations, containerInfoFromLabels } from './container-info.ts';
import type { KillReason } from './pod-actions.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import type { TerminationOrdering } from './termination-order.ts';

/** Minimum number of seconds between SIGTERM and SIGKILL. */
const MINIMUM_GRACE_PERIOD = 2;

/** The ports of a kill. */
export type KillPorts = Pick<RuntimePorts, 'clock' | 'runtime' | 'recorder' | 'hooks' | 'report'>;

/** The parameters of a kill. */
export interface KillRequest {
  /** Undefined for an unknown pod. The labels of the container then provide everything needed. */
  readonly pod: Pod | undefined;
  readonly id: string;
  readonly name: string;
  /** The text of the event, or '' for `Stopping container NAME`. */
  readonly message: string;
  readonly reason: KillReason;
  /** Overrides the grace periods of pod and probe. In seconds. */
  readonly gracePeriodOverride?: number | undefined;
  readonly ordering?: TerminationOrdering | undefined;
}

/**
 * Stops a container: runs the hook, waits for its turn, then sends SIGTERM and SIGKILL. A missing container counts as stopped (upstream:
 * killContainer).
 */
export async function killContainer(ports: KillPorts, request: KillRequest): Promise<void> {
  const { id, name, reason, ordering, gracePeriodOverride } = request;
  const { pod, container } = await specsOf(ports, request);
  const message = request.message === '' ? `Stopping container ${container.name}` : request.message;
  recordContainerEvent(ports, { pod, container, type: 'Normal', reason: 'Killing', message, containerID: id });
  let gracePeriod = gracePeriodOverride ?? gracePeriodOf(pod, container, reason);
  if (container.lifecycle?.preStop !== undefined && gracePeriod > 0)
    gracePeriod -= await runPreStopHook(ports, { pod, container, id, gracePeriod });
  if (ordering !== undefined && gracePeriod > 0) gracePeriod -= await ordering.waitForTurn(name, gracePeriod);
  gracePeriod = Math.max(gracePeriod, MINIMUM_GRACE_PERIOD);
  try {
    await ports.runtime.stopContainer({ containerId: id, timeout: BigInt(gracePeriod) });
  } catch (error) {
    if (!(error instanceof RpcError && error.code === 'NotFound')) throw error;
  }
  ordering?.containerTerminated(name);
}

/** The grace period of a container in seconds (upstream: setTerminationGracePeriod). */
export function gracePeriodOf({ metadata, spec }: Pod, container: Container, reason: KillReason): number {
  if (metadata.deletionGracePeriodSeconds !== undefined) return Number(metadata.deletionGracePeriodSeconds);
  if (spec.terminationGracePeriodSeconds === undefined) return MINIMUM_GRACE_PERIOD;
  const own = probeOf(container, reason)?.terminationGracePeriodSeconds;
  return Number(own ?? spec.terminationGracePeriodSeconds);
}

function probeOf({ startupProbe, livenessProbe }: Container, reason: KillReason): Probe | undefined {
  if (reason === 'StartupProbe') return startupProbe;
  return reason === 'LivenessProbe' ? livenessProbe : undefined;
}

interface Hook {
  readonly pod: Pod;
  readonly container: Container;
  readonly id: string;
  /** Grace period in seconds. */
  readonly gracePeriod: number;
}

/** Runs the hook, at most for the grace period. Returns the elapsed seconds, rounded down. */
async function runPreStopHook(ports: KillPorts, { pod, container, id, gracePeriod }: Hook): Promise<number> {
  const preStop = container.lifecycle?.preStop;
  if (preStop === undefined) return 0;
  const { clock } = ports;
  const start = clock.monotonic();
  const work = async (over: AbortSignal): Promise<void> => {
    try {
      await ports.hooks.run(id, pod, container, preStop, over);
    } catch (error) {
      ports.report(`PreStop hook of container ${container.name} in pod ${podText(pod)} failed`, error);
      const message = 'PreStopHook failed';
      const reason = 'FailedPreStopHook';
      recordContainerEvent(ports, { pod, container, type: 'Warning', reason, message, containerID: id });
    }
  };
  await atMost(gracePeriod * 1000, work, { clock });
  return Math.floor((clock.monotonic() - start) / 1000);
}

async function specsOf(
  { runtime }: KillPorts,
  { pod, id, name, message }: KillRequest,
): Promise<{ readonly pod: Pod; readonly container: Container }> {
  if (pod === undefined) return restoreSpecs(runtime, id);
  const container = containerSpecOf(pod, name);
  if (container === undefined)
    throw new Error(
      `failed to get containerSpec "${name}" (id="${id}") in pod "${podText(pod)}" when killing container for reason "${message}"`,
    );
  return { pod, container };
}

/** The parts of pod and container that a kill needs, from the container's labels (upstream: restoreSpecsFromContainerLabels). */
async function restoreSpecs(
  runtime: KillPorts['runtime'],
  containerId: string,
): Promise<{ readonly pod: Pod; readonly container: Container }> {
  const { status } = await runtime.containerStatus({ containerId });
  if (status === undefined) throw new Error('container status is nil');
  const { podName, podNamespace, podUID, containerName } = containerInfoFromLabels(status.labels);
  const info = containerInfoFromAnnotations(status.annotations);
  const preStop = info.preStopHandler;
  const container: Container = {
    name: containerName,
    resources: {},
    ports: info.ports,
    terminationMessagePath: info.terminationMessagePath,
    ...(preStop === undefined ? {} : { lifecycle: { preStop } }),
  };
  const pod: Pod = {
    metadata: {
      name: podName,
      namespace: podNamespace,
      uid: podUID,
      ...defined({ deletionGracePeriodSeconds: info.podDeletionGracePeriod }),
    },
    spec: { containers: [container], ...defined({ terminationGracePeriodSeconds: info.podTerminationGracePeriod }) },
    status: {},
  };
  return { pod, container };
}
