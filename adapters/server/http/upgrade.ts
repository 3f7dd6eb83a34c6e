import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { Upgrade } from '#lib/server/channel/upgrade.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { untilAborted } from '#lib/server/endpoints/until-aborted.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { comes, turns, writeStream } from './response.ts';

/** Time in ms without data after which a client is probed. */
const PROBE = 15_000;
/** Time in ms without data after which a client is disconnected once the end was sent to it. Until then it may still read. */
const LINGER = 60 * 60_000;

/**
 * The response object for a request that asked for an upgrade but stays in HTTP. The connection ends after the response, even if the client
 * keeps it open, because node's server no longer manages it.
 */
export function answerOn(socket: Socket, message: IncomingMessage): ServerResponse {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  return response.once('finish', () => socket.destroySoon());
}

/** Discards data that the client sends for a refused protocol. Without a reader, a disconnect would go unnoticed. */
export function dropUnread(socket: Socket): void {
  socket.once('end', () => socket.destroySoon()).resume();
}

/** Whether bytes follow that belong to the request and not to the next protocol. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** A connection that leaves HTTP. */
export interface UpgradingConnection {
  readonly socket: Socket;
  /** The bytes that the client sent in advance. */
  readonly head: Uint8Array;
  /** Aborts when the server shuts down. */
  readonly ending: AbortSignal;
  /** Maximum time in ms that a client may accept no data of a response. */
  readonly readTimeout: number;
}

/**
 * Confirms the protocol switch to the client and forwards bytes in both directions, as fast as the slower side accepts them. When either
 * side or the server ends, both sides end. The connection closes only after the client has closed its side. Otherwise a ping that arrives
 * at the closed socket would reset the connection, and the kernel would drop data that the client has not read. Rejects with the error of a
 * backend that breaks off.
 */
export async function switchProtocols(
  { socket, head, ending, readTimeout }: UpgradingConnection,
  { headers, body, upgrade }: ApiResponse & { readonly upgrade: Upgrade },
): Promise<void> {
  const isOwn = upgrade.isOwn === true;
  const patience = isOwn ? readTimeout : undefined; // a session's terminal may be paused for hours
  socket.setTimeout(0); // a silent session stays open, because upstream leaves its time-out to the kubelet
  socket.setKeepAlive(true, PROBE);
  socket.write(headOf(headers), 'latin1'); // in the encoding with which node read them
  const received = upgrade.receive(clientBytes(head, socket)).then(() => void socket.resume());
  const sent = untilAborted(ending, typeof body === 'string' || body instanceof Uint8Array ? whole(body) : body);
  try {
    await writeStream(socket, sent, isOwn ? turns : undefined, { readTimeout: patience });
    if (!socket.writableFinished && !socket.destroyed) await comes('finish', socket, patience);
    if (socket.writableFinished) await leaves(socket, patience ?? LINGER, ending);
  } catch (error) {
    if (!socket.destroyed && !socket.readableEnded) throw brokenOff(error); // otherwise the client has disconnected
  } finally {
    socket.destroy();
    await Promise.all([received, sent.return(undefined)]); // the stream ends only after its listeners have ended
  }
}

/** A TransportError is not a fault of this server, just as for any response. */
const brokenOff = (cause: unknown): Error =>
  cause instanceof TransportError
    ? cause
    : new Error(`the backend broke a stream off: ${messageOfError(cause)}`, { cause });

/** Waits until the client closes the connection, sends nothing for this many ms, or the server shuts down. */
async function leaves(socket: Socket, milliseconds: number, ending: AbortSignal): Promise<void> {
  if (socket.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  using _listener = onAbort(ending, resolve);
  socket.setTimeout(milliseconds, resolve).once('close', resolve);
  await promise;
}

async function* whole(body: Uint8Array | string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(body);
}

async function* clientBytes(head: Uint8Array, socket: Socket): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array;
}

function headOf(headers: ApiResponse['headers']): string {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((one) => `${name}: ${one}\r\n`),
  );
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`;
}
