import type { Pod } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { encodeJson } from '#lib/machinery/json.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import { expose, TEXT_FORMAT } from '#lib/machinery/metrics/text.ts';
import { checkpoint } from './checkpoint.ts';
import { containerLogs } from './container-logs.ts';
import { healthz } from './healthz.ts';
import { jsonAnswer, type NodeRequest, type NodeResponse, NodeServerError, textAnswer } from './node-request.ts';
import type { Permit } from './permit.ts';
import type { ServerPorts } from './ports.ts';
import { type PathParts, type Route, type RouteHandler, routed } from './routes.ts';
import { attach, exec, portForward, run } from './streams.ts';

const GET = ['GET', 'HEAD'];
const POST = ['POST'];
const STREAM = ['GET', 'POST'];
const CONTAINER = '{podNamespace}/{podID}/{containerName}';
const CONTAINER_OF_UID = '{podNamespace}/{podID}/{uid}/{containerName}';
/** First path segments that `enableDebuggingHandlers` enables. */
const DEBUGGING = ['run', 'exec', 'attach', 'portForward', 'containerLogs', 'runningpods', 'debug', 'logs'];

/** Handles permitted requests to the node's own server (upstream: server.Server). Rejects only if a port violates its contract. */
export function nodeServer(ports: ServerPorts, permit: Permit): (request: NodeRequest) => Promise<NodeResponse> {
  const routes = ports.options.enableDebuggingHandlers
    ? [...openRoutes(ports), ...debuggingRoutes(ports)]
    : [...openRoutes(ports), ...DEBUGGING.flatMap(disabled)];
  return async (request) => (await permit(request)) ?? routed(routes, request);
}

type Act = (ports: ServerPorts, request: NodeRequest, parts: PathParts) => ReturnType<RouteHandler>;

/** Routes of every server. */
function openRoutes(ports: ServerPorts): readonly Route[] {
  const bound =
    (act: Act): RouteHandler =>
    (request, parts) =>
      act(ports, request, parts);
  const { metrics } = ports;
  return [
    { path: '/healthz', handle: bound(healthz) },
    { path: '/healthz/{check}', handle: bound(healthz) },
    { path: '/pods', methods: GET, handle: () => jsonAnswer(podList(ports.pods.pods())) },
    { path: '/stats/summary', methods: GET, handle: bound(summary) },
    { path: '/metrics', handle: metricsOf(metrics.agent) },
    { path: '/metrics/cadvisor', handle: metricsOf(metrics.cadvisor) },
    { path: '/metrics/resource', handle: metricsOf(metrics.resource) },
    { path: '/metrics/probes', handle: metricsOf(metrics.probes) },
  ];
}

/** Routes that access containers or expose the machine. */
function debuggingRoutes(ports: ServerPorts): readonly Route[] {
  const bound =
    (act: Act): RouteHandler =>
    (request, parts) =>
      act(ports, request, parts);
  const { enableSystemLogHandler } = ports.options;
  const hostLog: RouteHandler = (_, { logpath = '' }) => ports.hostLog(logpath);
  return [
    { path: `/run/${CONTAINER}`, methods: POST, handle: bound(run) },
    { path: `/run/${CONTAINER_OF_UID}`, methods: POST, handle: bound(run) },
    { path: `/exec/${CONTAINER}`, methods: STREAM, handle: bound(exec) },
    { path: `/exec/${CONTAINER_OF_UID}`, methods: STREAM, handle: bound(exec) },
    { path: `/attach/${CONTAINER}`, methods: STREAM, handle: bound(attach) },
    { path: `/attach/${CONTAINER_OF_UID}`, methods: STREAM, handle: bound(attach) },
    { path: '/portForward/{podNamespace}/{podID}', methods: STREAM, handle: bound(portForward) },
    { path: '/portForward/{podNamespace}/{podID}/{uid}', methods: STREAM, handle: bound(portForward) },
    { path: `/containerLogs/${CONTAINER}`, methods: GET, handle: bound(containerLogs) },
    { path: '/configz', methods: GET, handle: () => jsonAnswer(encodeJson(ports.configz())) },
    { path: '/runningpods', methods: GET, handle: bound(runningPods) },
    { path: `/checkpoint/${CONTAINER}`, methods: POST, handle: bound(checkpoint) },
    ...(enableSystemLogHandler
      ? [
          { path: '/logs', methods: GET, handle: hostLog },
          { path: '/logs/{logpath:*}', methods: GET, handle: hostLog },
        ]
      : [refused('/logs', 'logs endpoint is disabled.'), refused('/logs/{rest:*}', 'logs endpoint is disabled.')]),
    // A flag sets the log level, and Node.js has its own profiler.
    refused('/debug/flags/v', 'flags endpoint is disabled.'),
    refused('/debug/pprof/{rest:*}', 'profiling endpoint is disabled.'),
  ];
}

const refused = (path: string, why: string): Route => ({ path, handle: () => textAnswer(405, `${why}\n`) });

const disabled = (room: string): readonly Route[] =>
  [`/${room}`, `/${room}/{rest:*}`].map((path) => refused(path, 'Debug endpoints are disabled.'));

const metricsOf =
  (collectors: readonly Collector[]): RouteHandler =>
  async () => ({ status: 200, headers: { 'content-type': TEXT_FORMAT }, body: await expose(collectors) });

async function summary(ports: ServerPorts, { query }: NodeRequest): Promise<NodeResponse> {
  const asked = query.get('only_cpu_and_memory') ?? '';
  try {
    return jsonAnswer(encodeJson(await ports.summary(/^(?:1|t|true)$/i.test(asked))));
  } catch (error) {
    throw new NodeServerError(500, messageOfError(error));
  }
}

/** `/runningpods/`: the pods in the runtime, with only the names of their containers. */
async function runningPods({ runtime }: ServerPorts): Promise<NodeResponse> {
  const found = await runtime.pods(false).catch((error: unknown) => {
    throw new NodeServerError(500, messageOfError(error));
  });
  const items = found.map(({ uid, name, namespace, containers }) => ({
    metadata: { name, namespace, uid },
    spec: {
      containers: containers.map((one) => ({ name: one.name, image: one.image, resources: {} })),
    },
    status: {},
  }));
  return jsonAnswer(podList(items));
}

/** A v1.PodList. */
const podList = (pods: readonly Pod[]): string => {
  const items: Json[] = [...pods];
  return encodeJson({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items });
};
