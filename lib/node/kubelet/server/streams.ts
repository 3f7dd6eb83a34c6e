import type { Pod } from '#lib/api/types/core.v1.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { podText } from '../container/container-ref.ts';
import type { RuntimeContainer } from '../container/runtime.ts';
import { containerSpec } from './container-spec.ts';
import { type NodeRequest, type NodeResponse, NodeServerError, textAnswer } from './node-request.ts';
import type { ServerPorts } from './ports.ts';
import type { PathParts } from './routes.ts';

/** The subprotocol for kubectl's SPDY inside a WebSocket. */
export const TUNNEL_PROTOCOL = 'SPDY/3.1+portforward.k8s.io';
const V5 = 'v5.channel.k8s.io';
const V4 = 'v4.channel.k8s.io';
/** The time in seconds for which containerd keeps the token of a session. */
const RETRY_AFTER = '60';

interface StreamOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** `/exec/…`: runs a command in a container. The runtime serves its streams. */
export async function exec(ports: ServerPorts, request: NodeRequest, parts: PathParts): Promise<NodeResponse> {
  const options = optionsOf(request.query);
  const pod = podOf(ports, parts);
  const { containerName = '', uid = '' } = parts;
  return session(request, options, async () => {
    const container = await running(ports, pod, uid, containerName);
    if (container === undefined) throw new Error(`container not found (${quote(containerName)})`);
    const cmd = request.query.getAll('command');
    return ports.streaming.exec({ containerId: container.id, cmd, ...options });
  });
}

/** `/attach/…`: attaches to the streams of a container's main process. */
export async function attach(ports: ServerPorts, request: NodeRequest, parts: PathParts): Promise<NodeResponse> {
  const options = optionsOf(request.query);
  const pod = podOf(ports, parts);
  const { containerName = '', uid = '' } = parts;
  const { name = '', namespace = '' } = pod.metadata;
  return session(request, options, async () => {
    const container = await running(ports, pod, uid, containerName);
    const spec = containerSpec(pod, containerName);
    if (container === undefined || spec === undefined)
      throw new Error(`container ${containerName} not found in pod ${name}_${namespace}`);
    // The spec decides whether the process has a terminal, regardless of the client's request.
    return ports.streaming.attach({ containerId: container.id, ...options, tty: spec.tty === true });
  });
}

/** `/portForward/…`: opens connections in the network of a pod. */
export async function portForward(ports: ServerPorts, request: NodeRequest, parts: PathParts): Promise<NodeResponse> {
  const isTunnel = protocolsOf(request).includes(TUNNEL_PROTOCOL);
  const port = isTunnel || !isWebSocket(request) ? [] : portsOf(request.query);
  const pod = podOf(ports, parts);
  const { uid = '' } = parts;
  const { name = '', namespace = '' } = pod.metadata;
  if (uid !== '' && pod.metadata.uid !== uid) throw new NodeServerError(404, 'pod not found');
  if (!request.isUpgrade) return upgradeRequired();
  const { url } = await runtimeCall(async () => {
    const found = await ports.runtime.pods(false);
    if (!found.some((one) => one.uid === pod.metadata.uid)) throw new Error(`pod not found ("${name}_${namespace}")`);
    return ports.streaming.portForward({ podSandboxId: await sandboxOf(ports, pod), port });
  });
  return { session: isTunnel ? 'tunnel' : 'bytes', url };
}

/** `/run/…`: runs a command and returns its output. */
export async function run(ports: ServerPorts, request: NodeRequest, parts: PathParts): Promise<NodeResponse> {
  const pod = podOf(ports, parts);
  const { containerName = '', uid = '' } = parts;
  const command = (request.query.get('cmd') ?? '').split(' ');
  try {
    const container = await running(ports, pod, uid, containerName);
    if (container === undefined) throw new Error(`container not found (${quote(containerName)})`);
    const { exitCode, stdout, stderr } = await ports.runtime.runInContainer(container.id, command, 0);
    if (exitCode !== 0) {
      const text = new TextDecoder().decode(stderr);
      throw new Error(`command '${command.join(' ')}' exited with ${exitCode}: ${text}`);
    }
    const body = new Uint8Array(stdout.length + stderr.length);
    body.set(stdout);
    body.set(stderr, stdout.length);
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  } catch (error) {
    throw new NodeServerError(500, messageOfError(error));
  }
}

/** The session for a command, if the runtime supports the protocol. */
async function session(
  request: NodeRequest,
  { stdin }: StreamOptions,
  call: () => Promise<{ readonly url: string }>,
): Promise<NodeResponse> {
  if (!request.isUpgrade) return upgradeRequired();
  const protocols = protocolsOf(request);
  // This project's clients offer it for proxies that only pass WebSockets.
  if (protocols.includes(TUNNEL_PROTOCOL)) return { session: 'tunnel', url: (await runtimeCall(call)).url };
  const needsV5 = protocols.includes(V5) && !protocols.some((one) => one !== V5 && one.endsWith('channel.k8s.io'));
  // Version 4 cannot signal the end of the input. Rejected clients retry with SPDY, which supports that.
  if (needsV5 && stdin)
    throw new NodeServerError(400, `${V5} with input is not served by the runtime; use ${V4} or SPDY`);
  const { url } = await runtimeCall(call);
  return { session: needsV5 ? 'v4' : 'bytes', url };
}

/** Upstream's streaming.WriteError. */
async function runtimeCall(call: () => Promise<{ readonly url: string }>): Promise<{ readonly url: string }> {
  try {
    const { url } = await call();
    if (url === '') throw new Error('URL is not set');
    return { url };
  } catch (error) {
    const code = error instanceof RpcError ? error.code : 'Unknown';
    if (code === 'NotFound') throw new NodeServerError(404, messageOfError(error));
    if (code === 'ResourceExhausted')
      throw new NodeServerError(429, messageOfError(error), { 'retry-after': RETRY_AFTER });
    throw new NodeServerError(500, messageOfError(error));
  }
}

const upgradeRequired = (): NodeResponse => textAnswer(500, 'Upgrade request required\n');

function podOf({ pods }: ServerPorts, { podNamespace = '', podID = '' }: PathParts): Pod {
  const pod = pods.podByName(podNamespace, podID);
  if (pod === undefined) throw new NodeServerError(404, 'pod does not exist');
  return pod;
}

/** The running container of a pod. Undefined if there is none, or if the pod has another uid than requested. */
async function running(
  { runtime }: ServerPorts,
  { metadata }: Pod,
  uid: string,
  container: string,
): Promise<RuntimeContainer | undefined> {
  if (uid !== '' && uid !== metadata.uid) return undefined;
  const pod = (await runtime.pods(false)).find((one) => one.uid === metadata.uid);
  return pod?.containers.find(({ name }) => name === container);
}

/** The newest sandbox of a pod. */
async function sandboxOf({ streaming }: ServerPorts, pod: Pod): Promise<string> {
  const labelSelector = { 'io.kubernetes.pod.uid': pod.metadata.uid ?? '' };
  const { items } = await streaming.listPodSandbox({ filter: { labelSelector } });
  const newest = [...items].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
  if (newest === undefined) throw new Error(`failed to find sandboxID for pod ${podText(pod)}`);
  return newest.id;
}

/** Upstream's remotecommand.NewOptions. A terminal has no separate stderr. */
function optionsOf(query: URLSearchParams): StreamOptions {
  const is = (name: string): boolean => query.get(name) === '1';
  const tty = is('tty');
  const options = { stdin: is('input'), stdout: is('output'), stderr: is('error') && !tty, tty };
  if (options.stdin || options.stdout || options.stderr) return options;
  throw new NodeServerError(400, 'you must specify at least 1 of stdin, stdout, stderr');
}

/** Upstream's portforward.NewV4Options. */
function portsOf(query: URLSearchParams): number[] {
  const given = query.getAll('port');
  const fail = (text: string): never => {
    throw new NodeServerError(400, text);
  };
  if (given.length === 0) return fail('query parameter "port" is required');
  return given.flatMap((text) => {
    if (text === '') return fail('query parameter "port" cannot be empty');
    return text.split(',').map((one) => {
      if (!/^\d+$/.test(one))
        return fail(
          `unable to parse ${quote(text)} as a port: strconv.ParseUint: parsing ${quote(one)}: invalid syntax`,
        );
      const port = Number(one);
      if (port > 65_535)
        return fail(
          `unable to parse ${quote(text)} as a port: strconv.ParseUint: parsing ${quote(one)}: value out of range`,
        );
      return port < 1 ? fail(`port ${quote(text)} must be > 0`) : port;
    });
  });
}

const isWebSocket = ({ headers, isUpgrade }: NodeRequest): boolean =>
  isUpgrade && headers['upgrade']?.toLowerCase() === 'websocket';

/** The subprotocols that a WebSocket client offers. */
const protocolsOf = (request: NodeRequest): readonly string[] =>
  isWebSocket(request) ? (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim()) : [];
