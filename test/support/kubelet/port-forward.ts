import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { acceptSpdy } from './remote-command.ts';
import { type SpdyStream, serveSpdy } from './spdy.ts';
import { protocolsOf, TUNNEL, tunnelOf, WebSocketPeer } from './web-socket.ts';

const PROTOCOL = 'portforward.k8s.io';

/** Serves `portForward`. Each connection of the client becomes a connection to the port with that number on this machine. */
export function servePortForward(request: IncomingMessage, socket: Duplex): void {
  if (request.headers.upgrade !== 'websocket') {
    acceptSpdy(socket, PROTOCOL);
    return forwardAll(socket, podOf(request));
  }
  if (!protocolsOf(request).includes(TUNNEL))
    return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  forwardAll(tunnelOf(new WebSocketPeer(request, socket, TUNNEL)), podOf(request));
}

const podOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1).join('').split('/').slice(2).join('_');

/** A client connection consists of two streams with the same request id: data and error. */
function forwardAll(connection: Duplex, pod: string): void {
  const waiting = new Map<string, SpdyStream>();
  serveSpdy(connection, (stream) => {
    const id = stream.headers.get('requestid') ?? '';
    const other = waiting.get(id);
    if (other === undefined) return void waiting.set(id, stream);
    waiting.delete(id);
    const [data, error] = stream.headers.get('streamtype') === 'data' ? [stream, other] : [other, stream];
    void forward(data, error, pod);
  });
}

async function forward(data: SpdyStream, error: SpdyStream, pod: string): Promise<void> {
  const port = Number(data.headers.get('port'));
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  try {
    await Promise.all([pipeline(data, socket), pipeline(socket, data)]);
    error.end();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    error.end(`error forwarding port ${port} to pod ${pod}, uid : failed to connect to localhost:${port}: ${why}`);
  }
}
