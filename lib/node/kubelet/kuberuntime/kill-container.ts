import type { Container, Pod, Probe } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { podText } from '../container/container-ref.ts';
import { containerSpecOf } from '../container/helpers.ts';
import { recordContainerEvent } from './container-events.ts';
import { containerInfoFromAnnotations, containerInfoFromLabels } from './container-info.ts';
import type { KillReason } from './pod-actions.ts';
import type { RuntimePorts } from './runtime-ports.ts';
import type { TerminationOrdering } from './termination-order.ts';

/** Seconds that a container has at least between SIGTERM and SIGKILL. */
const MINIMUM_GRACE_PERIOD = 2;

/** The ports of a kill. */
export type KillPorts = Pick<RuntimePorts, 'clock' | 'runtime' | 'recorder' | 'hooks' | 'report'>;

/** A container to end. */
export interface KillRequest {
  /** Undefined for a pod that nothing knows any more: the labels of the container tell all that is needed. */
  readonly pod: Pod | undefined;
  readonly id: string;
  readonly name: string;
  /** The text of the event; '' for `Stopping container NAME`. */
  readonly message: string;
  readonly reason: KillReason;
  /** Seconds, in place of those of pod and probe. */
  readonly gracePeriodOverride?: number | undefined;
  readonly ordering?: TerminationOrdering | undefined;
}

/** Ends a container: the hook, then its turn, then SIGTERM and SIGKILL. A container that is gone has ended (upstream: killContainer). */
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

/** The seconds that a container has to end (upstream: setTerminationGracePeriod). */
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
  /** Seconds. */
  readonly gracePeriod: number;
}

/** Runs the hook until the grace period is over; answers the seconds that it took, rounded down. */
async function runPreStopHook(ports: KillPorts, { pod, container, id, gracePeriod }: Hook): Promise<number> {
  const preStop = container.lifecycle?.preStop;
  if (preStop === undefined) return 0;
  const { clock } = ports;
  const start = clock.monotonic();
  const over = new AbortController();
  const waiting = new AbortController();
  const work = async (): Promise<void> => {
    try {
      await ports.hooks.run(id, pod, container, preStop, over.signal);
    } catch (error) {
      ports.report(`PreStop hook of container ${container.name} in pod ${podText(pod)} failed`, error);
      const message = 'PreStopHook failed';
      const reason = 'FailedPreStopHook';
      recordContainerEvent(ports, { pod, container, type: 'Warning', reason, message, containerID: id });
    }
  };
  await Promise.race([work(), clock.sleep(gracePeriod * 1000, waiting.signal)]);
  waiting.abort();
  over.abort();
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

/** Pod and container as far as a kill needs them, by the container's labels (upstream: restoreSpecsFromContainerLabels). */
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
