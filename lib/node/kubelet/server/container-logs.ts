import type { Pod } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { ContainerState } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { logOptions } from '#lib/server/endpoints/special/log-options.ts';
import { type LogOptions, readLogs } from '../kuberuntime/logs/read-logs.ts';
import { bareID } from '../prober/results.ts';
import { loggedContainer } from './container-log-status.ts';
import { containerSpec } from './container-spec.ts';
import { type NodeAnswer, type NodeRequest, NodeServerError } from './node-request.ts';
import type { ServerPorts } from './ports.ts';
import type { PathParts } from './routes.ts';

/** `/containerLogs/{podNamespace}/{podID}/{containerName}`: the log of a container according to PodLogOptions. */
export async function containerLogs(ports: ServerPorts, request: NodeRequest, parts: PathParts): Promise<NodeAnswer> {
  const { podNamespace = '', podID = '', containerName = '' } = parts;
  const query = queryOf(request.query, podID);
  const pod = ports.pods.podByName(podNamespace, podID);
  if (pod === undefined) throw new NodeServerError(404, `pod ${quote(podID)} does not exist`);
  if (containerSpec(pod, containerName) === undefined)
    throw new NodeServerError(404, `container ${quote(containerName)} not found in pod ${quote(podID)}`);
  const previous = query.get('previous') === 'true';
  try {
    const options = optionsOf(query, ports.clock.now());
    const chunks = await opened(ports, { pod, name: containerName, previous, options }, request.signal);
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: chunks };
  } catch (error) {
    throw new NodeServerError(400, messageOfError(error));
  }
}

/** The validated options. Throws the kubelet's 400 or 422. */
function queryOf(query: URLSearchParams, pod: string): URLSearchParams {
  const asked = new URLSearchParams(query);
  const tail = asked.get('tail') ?? '';
  if (tail === 'all') asked.delete('tailLines');
  else if (tail !== '') asked.set('tailLines', tail);
  try {
    return new URLSearchParams(logOptions(asked, pod).query);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    if (error.code === 422) throw new NodeServerError(422, '{"message": "Invalid request."}');
    throw new NodeServerError(400, '{"message": "Unable to decode query."}');
  }
}

function optionsOf(query: URLSearchParams, now: number): LogOptions {
  const number = (name: string): number | undefined => {
    const value = query.get(name);
    return value === null ? undefined : Number(value);
  };
  const seconds = number('sinceSeconds');
  const time = query.get('sinceTime');
  const since = seconds !== undefined ? now - seconds * 1000 : time === null ? undefined : Date.parse(time);
  return {
    follow: query.get('follow') === 'true',
    timestamps: query.get('timestamps') === 'true',
    ...defined({ tailLines: number('tailLines'), limitBytes: number('limitBytes'), since }),
  };
}

interface Wanted {
  readonly pod: Pod;
  readonly name: string;
  readonly previous: boolean;
  readonly options: LogOptions;
}

/** The log, after checking that it exists. A later failure ends the stream. */
async function opened(
  { pods, streaming, logs }: ServerPorts,
  { pod, name, previous, options }: Wanted,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const status = pods.podStatus(pod.metadata.uid ?? '') ?? pod.status;
  const containerID = loggedContainer(pod.metadata.name ?? '', status, name, previous);
  const id = bareID(containerID);
  const state = () => streaming.containerStatus({ containerId: id });
  const { status: held } = await state().catch(() => {
    throw new Error(`unable to retrieve container logs for ${containerID}`);
  });
  if (held === undefined) throw new Error('container status is nil');
  await (await logs.open(held.logPath))[Symbol.asyncDispose](); // reports a missing log with a status
  const isRunning = async (): Promise<boolean> => {
    try {
      return (await state()).status?.state === ContainerState.CONTAINER_RUNNING;
    } catch (error) {
      if (error instanceof RpcError && error.code === 'Unavailable') return true; // containers may outlive the runtime
      throw error;
    }
  };
  return readLogs(held.logPath, options, { files: logs, isRunning }, signal);
}
