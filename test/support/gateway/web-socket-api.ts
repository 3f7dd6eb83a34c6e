import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerGateway } from '#functions/channel/answer.ts';
import { gatewayEvent } from '#functions/channel/event.ts';
import type { Relay } from '#lib/server/channel/gateway/relay.ts';
import { acceptOf } from '#lib/server/endpoints/web-socket/handshake.ts';
import { MessageSocket } from '#lib/server/endpoints/web-socket/message-socket.ts';

/** A WebSocket API on loopback, whose function is the relay. */
export class WebSocketApi {
  readonly #sockets = new Map<string, MessageSocket>();
  #relay: Relay | undefined;
  #count = 0;
  /** Requested URLs, with the headers of handshakes. */
  readonly asked: string[] = [];

  readonly server = createHttpServer(
    (request, response) =>
      void this.#posted(request).then(
        (status) => response.writeHead(status).end(),
        () => response.destroy(), // the caller has disconnected
      ),
  ).on('upgrade', (request: IncomingMessage, socket: Duplex) => void this.#upgraded(request, socket));

  /** Invokes this relay from now on. */
  use(relay: Relay): void {
    this.#relay = relay;
  }

  /** Closes every connection. */
  close(): void {
    for (const socket of this.#sockets.values()) socket.close('');
  }

  async #invoke(eventType: string, connectionId: string, more: object = {}): Promise<number> {
    if (this.#relay === undefined) throw new Error('no relay');
    const event = { requestContext: { connectionId, eventType, stage: 'nodes' }, isBase64Encoded: false, ...more };
    return (await answerGateway(this.#relay, gatewayEvent(event))).statusCode;
  }

  async #posted(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') !== true) return 403;
    const id = decodeURIComponent(request.url?.split('/@connections/')[1] ?? '');
    const socket = this.#sockets.get(id);
    if (socket === undefined) return 410;
    if (request.method === 'DELETE') socket.close('');
    else if (await isRefused(socket.send(Buffer.concat(chunks)))) return 410; // the connection ended meanwhile
    return 200;
  }

  async #upgraded(request: IncomingMessage, socket: Duplex): Promise<void> {
    const id = `L0SM9c/+${this.#count++}=`;
    this.asked.push(request.url ?? '');
    const status = await this.#invoke('CONNECT', id, { headers: request.headers });
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Forbidden\r\ncontent-length: 0\r\n\r\n`);
    const accept = acceptOf(request.headers['sec-websocket-key'] ?? '');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    const message = (bytes: Uint8Array): void =>
      void this.#invoke('MESSAGE', id, { body: Buffer.from(bytes).toString() }).catch(() => undefined); // the real gateway sends JSON
    const web = new MessageSocket({ isClient: false, isText: true, limit: 128 * 1024, message });
    this.#sockets.set(id, web);
    void web.receive(socket).finally(() => {
      this.#sockets.delete(id);
      void this.#invoke('DISCONNECT', id);
    });
    for await (const bytes of web.outgoing) socket.write(bytes);
    socket.end();
  }
}

const isRefused = (sent: Promise<void>): Promise<boolean> =>
  sent.then(
    () => false,
    () => true,
  );
