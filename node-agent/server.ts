import { systemClock } from '#adapters/clock.ts';
import { LogFolder } from '#adapters/node/host/containers/log-file.ts';
import { hostLog } from '#adapters/node/node-server/host-logs.ts';
import { type NodeServer, type NodeServerOptions, newNodeServer } from '#adapters/node/node-server/node-server.ts';
import { processMetrics } from '#adapters/process/process-metrics.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { encodeKubeletConfiguration } from '#lib/node/kubelet/apis/config/encode.ts';
import type { KubeletConfiguration } from '#lib/node/kubelet/apis/config/types.ts';
import { HttpMetrics } from '#lib/node/kubelet/server/http-metrics.ts';
import { grantPermit, type Permit } from '#lib/node/kubelet/server/permit.ts';
import type { ServedPods, ServerPorts } from '#lib/node/kubelet/server/ports.ts';
import { nodeServer } from '#lib/node/kubelet/server/server.ts';
import { buildInfo } from '#lib/server/endpoints/version.ts';
import type { Log } from './log.ts';

/** Counts requests to this process, over the channel and on its port. */
const httpMetrics = new HttpMetrics(systemClock);
/** Logs of the machine. */
const HOST_LOGS = '/var/log';

/** The parts of an agent that its server exposes. */
export type ServedParts = Pick<ServerPorts, 'pods' | 'runtime' | 'streaming' | 'metrics' | 'summary' | 'syncLoopFault'>;

/**
 * The node's own server. It does not listen, because connections arrive over the channel. `parts` returns the current parts for each
 * request.
 */
export const agentServer = (configuration: KubeletConfiguration, parts: () => ServedParts, log: Log): NodeServer =>
  newNodeServer({
    handle: requestHandler(configuration, { parts, permit: () => grantPermit(parts().pods) }),
    onFault: log.fault('cannot answer a request to the node'),
  });

/** The inputs of the request handler. Both return the current values for each request. */
interface HandlerInputs {
  readonly parts: () => ServedParts;
  readonly permit: () => Permit;
}

/** Handles requests to the node, over the channel or on its port. */
export function requestHandler(
  configuration: KubeletConfiguration,
  { parts, permit }: HandlerInputs,
): NodeServerOptions['handle'] {
  const { enableDebuggingHandlers, enableSystemLogHandler, podLogsDir } = configuration;
  const own = {
    clock: systemClock,
    options: { enableDebuggingHandlers, enableSystemLogHandler },
    logs: new LogFolder(podLogsDir),
    configz: () => ({ kubeletconfig: encodeKubeletConfiguration(configuration) }),
    hostLog: (path: string) => hostLog(HOST_LOGS, path),
  };
  return httpMetrics.observed((request) => nodeServer({ ...parts(), ...own }, permit())(request));
}

const noRuntime = (): Promise<never> => Promise.reject(new RpcError('Unavailable', 'container runtime is down'));
const noPods: ServedPods = { pods: () => [], podByName: () => undefined, podStatus: () => undefined };

/** The parts of an agent without a container runtime. It has no pods, and reports only its own state. */
export const partsWithoutRuntime: ServedParts = {
  pods: noPods,
  runtime: { pods: noRuntime, runInContainer: noRuntime },
  streaming: {
    exec: noRuntime,
    attach: noRuntime,
    portForward: noRuntime,
    containerStatus: noRuntime,
    listPodSandbox: noRuntime,
  },
  metrics: { agent: [processMetrics, buildInfo, httpMetrics], cadvisor: [], resource: [], probes: [] },
  summary: noRuntime,
  syncLoopFault: () => undefined,
};
