import type { Container, Pod, PodStatus, Probe } from '#lib/api/types/core.v1.ts';
import { durationText } from '#lib/machinery/duration.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { containerFieldPath, podReference, podText } from '../container/container-ref.ts';
import { mappingOf } from '../container/expand.ts';
import { expand } from '../container/expansion.ts';
import type { Runtime } from '../container/runtime.ts';
import type { NodeEventRecorder } from '../events/recorder.ts';
import { failed, MAX_OUTPUT, type ProbeOutcome, succeeded } from './outcome.ts';
import { type GrpcProber, type HttpProber, NoResponse, type ProbeResponse, type TcpProber } from './ports.ts';
import type { ProbeKind } from './probe-manager.ts';
import { containerPort, probeRequest } from './probe-request.ts';
import { bareID } from './results.ts';

/** Maximum number of attempts for a probe without a result. */
const ATTEMPTS = 3;

/** The ports of probes. */
export interface ProberPorts {
  readonly http: HttpProber;
  readonly tcp: TcpProber;
  readonly grpc: GrpcProber;
  readonly runtime: Pick<Runtime, 'runInContainer'>;
  readonly events: NodeEventRecorder;
}

/** One probe of one container of a pod. */
export interface ProbeTarget {
  readonly kind: ProbeKind;
  readonly probe: Probe;
  readonly pod: Pod;
  readonly container: Container;
}

const LABELS = { liveness: 'Liveness', readiness: 'Readiness', startup: 'Startup' } as const;

/** The name of a probe kind in events and metrics. */
export const probeLabel = (kind: ProbeKind): string => LABELS[kind];

/**
 * Probes a container once and records failures as events (upstream: prober.probe). Returns undefined if none of three attempts had a
 * result. The caller then ignores the probe.
 */
export async function probeOnce(
  target: ProbeTarget,
  status: PodStatus,
  containerID: string,
  ports: ProberPorts,
): Promise<'success' | 'failure' | undefined> {
  const { pod, container, kind } = target;
  const tell = (reason: string, message: string): void =>
    ports.events.event(podReference(pod), 'Warning', reason, message, containerFieldPath(pod, container));
  const label = probeLabel(kind);
  for (let attempt = 1; ; attempt++)
    try {
      const { result, output } = await runProbe(target, status, containerID, ports);
      if (result === 'warning') tell('ProbeWarning', `${label} probe warning: ${output}`);
      if (result === 'failure') tell('Unhealthy', `${label} probe failed: ${output}`);
      return result === 'failure' ? 'failure' : 'success';
    } catch (error) {
      if (attempt < ATTEMPTS) continue;
      const state = error instanceof BodyError ? 'failure' : 'unknown';
      tell('Unhealthy', `${label} probe errored and resulted in ${state} state: ${messageOfError(error)}`);
      return undefined;
    }
}

/** The error for a response with an incomplete body. */
class BodyError extends Error {
  override readonly name = 'BodyError';
}

/** Throws if the probe has no result. */
async function runProbe(
  { probe, pod, container }: ProbeTarget,
  { podIP = '' }: PodStatus,
  containerID: string,
  { http, tcp, grpc, runtime }: ProberPorts,
): Promise<ProbeOutcome> {
  const timeout = (probe.timeoutSeconds ?? 0) * 1000;
  if (probe.exec !== undefined)
    return execProbe(runtime, bareID(containerID), commandOf(container, probe.exec.command ?? []), timeout);
  if (probe.httpGet !== undefined) {
    const request = probeRequest(probe.httpGet, container, podIP, 'probe');
    return httpOutcome(() => http.get(request, timeout));
  }
  if (probe.tcpSocket !== undefined) {
    const { host = '', port } = probe.tcpSocket;
    return tcp.connect(host === '' ? podIP : host, containerPort(port, container), timeout);
  }
  if (probe.grpc !== undefined) return grpc.check(podIP, probe.grpc.port, probe.grpc.service ?? '', timeout);
  throw new Error(`missing probe handler for ${podText(pod)}:${container.name}`);
}

/** The command, with references to variables that have a value in the spec expanded. */
function commandOf({ env = [] }: Container, command: readonly string[]): readonly string[] {
  const mapping = mappingOf(new Map(env.map(({ name, value = '' }) => [name, value])));
  return command.map((word) => expand(word, mapping));
}

async function execProbe(
  runtime: ProberPorts['runtime'],
  id: string,
  command: readonly string[],
  timeout: number,
): Promise<ProbeOutcome> {
  try {
    const { exitCode, stdout, stderr } = await runtime.runInContainer(id, command, timeout);
    const output = firstBytes([stdout, stderr]);
    return exitCode === 0 ? succeeded(output) : failed(output);
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== 'DeadlineExceeded') throw error;
    const limit = durationText(BigInt(timeout) * 1_000_000n);
    return failed(`command timed out: ${quote(command.join(' '))} timed out after ${limit}`);
  }
}

/** The first 10 KiB of several chunks, as text. */
const firstBytes = (pieces: readonly Uint8Array[]): string => {
  const bytes = new Uint8Array(MAX_OUTPUT);
  let length = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, MAX_OUTPUT - length);
    bytes.set(part, length);
    length += part.length;
  }
  return new TextDecoder().decode(bytes.subarray(0, length));
};

/** Upstream's DoHTTPProbe: a missing response is a failure. Throws for an incomplete body. */
async function httpOutcome(get: () => Promise<ProbeResponse>): Promise<ProbeOutcome> {
  try {
    const { status, body } = await get();
    const text = firstBytes([body]);
    if (status < 200 || status >= 400) return failed(`HTTP probe failed with statuscode: ${status}`);
    if (status < 300) return succeeded(text);
    return { result: 'warning', output: `Probe terminated redirects, Response body: ${text}` };
  } catch (error) {
    if (error instanceof NoResponse) return failed(error.message);
    throw new BodyError(messageOfError(error), { cause: error });
  }
}
