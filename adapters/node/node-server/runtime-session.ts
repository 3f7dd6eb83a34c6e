import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type Addr, sameAddr } from '#lib/machinery/net/addr.ts';
import { parseIP } from '#lib/machinery/net/parse-addr.ts';
import { isLoopbackHost, isUnspecifiedHost } from '#lib/machinery/net/this-host.ts';
import { type NodeAnswer, type RuntimeSession, textAnswer } from '#lib/node/kubelet/server/node-request.ts';
import { SessionFrames } from '#lib/node/kubelet/server/session-frames.ts';
import {
  type SessionProtocol,
  spdyProtocol,
  unframed,
  webSocketProtocol,
} from '#lib/node/kubelet/server/session-protocol.ts';
import { BEARER_PROTOCOL } from '#lib/server/authentication/bearer-token.ts';
import { type Client, clientStream } from './client-stream.ts';
import { headOf } from './runtime-answer.ts';
import { relaySession } from './session-relay.ts';
import { tunnelled } from './tunnel.ts';

/** Time-out in ms for the runtime to accept a connection. */
const TIMEOUT = 30_000;

/**
 * Relays a session until it ends. Resolves with an error response if the runtime is unreachable. Rejects if a side breaks off the session.
 */
export async function passOn(
  request: IncomingMessage,
  client: Client,
  { url, session }: RuntimeSession,
): Promise<NodeAnswer | undefined> {
  let place: URL;
  let runtime: Socket;
  try {
    place = new URL(url);
    if (place.protocol !== 'http:') throw new Error(`the runtime serves sessions by ${place.protocol}`);
    runtime = await dial(place);
  } catch (error) {
    return textAnswer(500, `${messageOfError(error)}\n`);
  }
  try {
    if (session === 'tunnel') return await tunnelled(request, client, runtime, place);
    runtime.write(requestHead(request, place, session));
    const head = await headOf(runtime);
    client.socket.write(session === 'v4' ? asFifth(head) : head, 'latin1');
    await relaySession(clientStream(client), runtime, new SessionFrames(protocolOf(request, head)));
    return undefined;
  } finally {
    runtime.destroy();
  }
}

function protocolOf({ headers }: IncomingMessage, head: string): SessionProtocol {
  if (!head.startsWith('HTTP/1.1 101 ')) return unframed;
  if (headers.upgrade?.toLowerCase() === 'websocket') return webSocketProtocol;
  return spdyProtocol(/^x-stream-protocol-version:(.*)$/im.exec(head)?.[1]?.trim() ?? '');
}

async function dial({ hostname, port }: URL): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!isOwn(host)) throw new Error(`the runtime serves sessions at ${host}, which is not this machine`);
  const socket = connect({ host, port: Number(port === '' ? 80 : port), noDelay: true });
  await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT) }).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  return socket.on('error', () => undefined); // the reader notices its end
}

/**
 * Whether a host is this machine. If sessions on other hosts were allowed, a client's request could be sent to any host that the node can
 * reach.
 */
function isOwn(host: string): boolean {
  // Connections to the unspecified address stay on the machine.
  if (isLoopbackHost(host) || isUnspecifiedHost(host)) return true;
  const addr = parseIP(host);
  return addr !== undefined && addresses().some((one) => sameAddr(one, addr));
}

const addresses = (): Addr[] =>
  Object.values(networkInterfaces()).flatMap((all) => all?.flatMap(({ address }) => parseIP(address) ?? []) ?? []);

const V4 = 'v4.channel.k8s.io';
const V5 = 'v5.channel.k8s.io';

/** The head of the client's request, with the session's path. */
function requestHead(
  { method, rawHeaders }: IncomingMessage,
  { host, pathname, search }: URL,
  session: string,
): string {
  let text = `${method ?? 'GET'} ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (lower === 'host' || lower === 'authorization') continue; // removes the client's token, which is meant for this server
    text += `${name}: ${lower === 'sec-websocket-protocol' ? offer(value, session) : value}\r\n`;
  }
  return `${text}\r\n`;
}

/** The subprotocols that a client offers, without the token. */
function offer(value: string, session: string): string {
  const offered = value.split(',').map((one) => one.trim());
  const protocols = offered.filter((one) => !one.startsWith(BEARER_PROTOCOL)).join(', ');
  return session === 'v4' ? protocols.replaceAll(V5, V4) : protocols;
}

/** Rewrites the runtime's acceptance of the fourth version of the protocol to the fifth. */
const asFifth = (head: string): string =>
  head.replace(/^(sec-websocket-protocol:.*)$/im, (line) => line.replace(V4, V5));
