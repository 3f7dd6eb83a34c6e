import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { StartFault } from '../../start-fault.ts';
import { pathOf } from './pod.ts';
import { openPodStream } from './pod-stream.ts';
import { type StreamSession, streaming } from './session.ts';
import { SpdyConnection } from './spdy.ts';

/** The protocol of port-forward inside SPDY. */
const PORT_FORWARD = 'portforward.k8s.io';

/** A local port, 0 for any, and the pod's port that it forwards to. */
export interface PortPair {
  readonly local: number;
  readonly remote: number;
}

/** Adds `port-forward`, which forwards ports of this machine to a pod. It works via every front door. */
export function portForwardCommand(command: Command): void {
  command
    .command('port-forward')
    .description('forward ports of this machine to a pod')
    .argument('<pod>')
    .argument('<ports...>', '[LOCAL:]REMOTE, REMOTE may be a name')
    .option('--address <addresses>', 'addresses to listen on, comma separated', 'localhost')
    .action((named: string, ports: readonly string[], flags: { readonly address: string }, self: Command) =>
      streaming(self, named, (session) => portForward(session, ports, flags.address.split(','))),
    );
}

async function portForward(
  { api, pod, terminal, signal }: StreamSession,
  ports: readonly string[],
  addresses: readonly string[],
): Promise<number> {
  const pairs = ports.map((one) => portPair(one, pod.object));
  const wanted = { path: pathOf(pod, 'portforward'), query: new URLSearchParams(), protocol: PORT_FORWARD };
  const { connection, over, close } = await openPodStream(api, wanted, signal);
  let lost = '';
  void over.then((reason) => (lost = reason));
  const spdy = new SpdyConnection(connection);
  const servers: Server[] = [];
  let requests = 0;
  try {
    for (const pair of pairs) {
      const carry = (socket: Socket): void =>
        void forwarded(spdy, socket, { port: String(pair.remote), requestid: String(requests++) }).then((fault) => {
          if (fault !== '')
            terminal.stderr.write(`an error occurred forwarding ${pair.local} -> ${pair.remote}: ${fault}\n`);
        });
      const opened = await listening(addresses, pair.local, (socket) => {
        terminal.stdout.write(`Handling connection for ${socket.localPort ?? pair.local}\n`);
        carry(socket);
      });
      servers.push(...opened);
      for (const server of opened) terminal.stdout.write(`Forwarding from ${placeOf(server)} -> ${pair.remote}\n`);
    }
    await spdy.over;
    throw new StartFault(`lost connection to pod${lost === '' ? '' : `: ${lost}`}`);
  } finally {
    for (const server of servers) server.close();
    spdy.close();
    await close();
  }
}

/** Forwards a connection until it ends. Returns the error from the pod, or '' if there was none. */
async function forwarded(
  spdy: SpdyConnection,
  socket: Socket,
  headers: { readonly port: string; readonly requestid: string },
): Promise<string> {
  const error = spdy.open({ ...headers, streamtype: 'error' });
  error.end();
  const data = spdy.open({ ...headers, streamtype: 'data' });
  const said = text(error);
  socket.once('close', () => data.destroy()); // both directions have ended, or the client has disconnected
  await Promise.all([carried(socket, data), carried(data, socket)]);
  return (await said).trim();
}

/** Copies one direction. If one stream breaks, the other one is ended. */
async function carried(from: Duplex, to: Duplex): Promise<void> {
  await pipeline(from, to).catch(() => {
    from.destroy();
    to.destroy();
  });
}

/** Listens on each of the addresses. For `localhost`, one of its two addresses is enough. Throws StartFault. */
async function listening(
  addresses: readonly string[],
  port: number,
  connected: (socket: Socket) => void,
): Promise<Server[]> {
  const servers: Server[] = [];
  const open = async (host: string, at: number): Promise<number> => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined); // a read reports that it has ended
      connected(socket);
    });
    await once(server.listen(at, host), 'listening');
    servers.push(server);
    return portOf(server);
  };
  const failed = (host: string, error: unknown): StartFault => {
    for (const server of servers) server.close();
    return new StartFault(`unable to listen on ${host}:${port}: ${messageOfError(error)}`);
  };
  for (const host of addresses) {
    if (host !== 'localhost') {
      await open(host, port).catch((error: unknown) => Promise.reject(failed(host, error)));
      continue;
    }
    const chosen = await open('127.0.0.1', port).catch((error: unknown) => Promise.reject(failed(host, error)));
    await open('::1', chosen).catch(() => undefined); // the machine may have no IPv6
  }
  return servers;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

function placeOf(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) return '';
  return joinHostPort(address.address, address.port);
}

/** Parses the ports of an argument. A name refers to a port of the pod. Throws StartFault. */
export function portPair(given: string, pod: JsonObject): PortPair {
  const parts = given.split(':');
  const [first = '', second = first] = parts;
  const remote = /^\d+$/.test(second) ? Number(second) : namedPort(second, pod);
  const local = parts.length === 1 ? remote : first === '' ? 0 : Number(first);
  const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535;
  if (
    parts.length > 2 ||
    remote === undefined ||
    local === undefined ||
    !isPort(local) ||
    !isPort(remote) ||
    remote === 0
  )
    throw new StartFault(`${given} is no [LOCAL:]REMOTE of ports, and no port of the pod has that name`);
  return { local, remote };
}

function namedPort(name: string, pod: JsonObject): number | undefined {
  const containers = arrayAt(objectAt(pod, 'spec') ?? {}, 'containers').filter(isObject);
  const ports = containers.flatMap((one) => arrayAt(one, 'ports').filter(isObject));
  const found = ports.find((port) => name !== '' && stringAt(port, 'name') === name);
  return found === undefined ? undefined : Number(found['containerPort']);
}
