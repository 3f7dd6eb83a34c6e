import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';

/** The response of Go's net/http. */
const REFUSAL = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Sends an error to a client that uses plain HTTP on this server's port, and disconnects it. */
export function refusePlainHttp(server: Server): void {
  const connections = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    connections.set(peer, socket);
    socket.once('close', () => connections.delete(peer));
  });
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    if (error.code !== 'ERR_SSL_HTTP_REQUEST') return;
    const connection = connections.get(peerOf(socket)); // below TLS, which can no longer write
    connection?.end(REFUSAL, () => connection.destroy());
  });
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
