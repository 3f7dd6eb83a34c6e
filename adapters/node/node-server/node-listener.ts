import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { TlsSettings } from '#lib/node/kubelet/server/tls-settings.ts';
import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';
import { answerRequests, type NodeServerOptions } from './node-server.ts';

/** Time limits for a client in ms: for a handshake, for headers, for a request, and without a request (upstream's 90 s). */
const PATIENCE = {
  handshakeTimeout: 32_000,
  headersTimeout: 32_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 90_000,
  connectionsCheckingInterval: 5000,
};
/** Maximum number of concurrent connections. It prevents unauthenticated clients from using up the agent's file descriptors. */
const MAX_CONNECTIONS = 1000;

/** The address, TLS settings and handlers of a node's port. */
export interface NodeListenerOptions extends NodeServerOptions {
  readonly address: string;
  readonly port: number;
  readonly tls: TlsSettings;
  /** The verified certificate of a connection's client. Undefined if it presented none. */
  certificateOf(socket: Socket): ClientCertificate | undefined;
}

/** The certificates of a node's port. */
export interface ServingMaterial {
  /** If absent, no handshake succeeds. */
  readonly pair?: KeyPair | undefined;
  /** The CAs of client certificates, PEM. '' if there are none. */
  readonly clientCA: string;
}

/** The node's server on its own port over HTTPS. */
export class NodeListener implements AsyncDisposable {
  readonly #server: Server;
  readonly #tls: TlsSettings;
  readonly #sockets = new Set<Socket>();

  private constructor({ tls, certificateOf, ...options }: NodeListenerOptions) {
    this.#tls = tls;
    this.#server = createServer({ ...tls, ...PATIENCE, requestCert: true, rejectUnauthorized: false });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    answerRequests(this.#server, {
      ...options,
      shownBy({ socket }) {
        const clientCertificate = certificateOf(socket);
        return clientCertificate === undefined ? {} : { clientCertificate };
      },
    });
  }

  /** Starts to listen, without a certificate at first. Rejects with the system's error (such as EADDRINUSE) if it cannot listen. */
  static async listen(options: NodeListenerOptions): Promise<NodeListener> {
    const listener = new NodeListener(options);
    listener.#server.listen(options.port, options.address);
    await once(listener.#server, 'listening');
    return listener;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  /** Uses these certificates for future handshakes. If the key does not match the certificate, throws Error and keeps the previous pair. */
  use({ pair, clientCA }: ServingMaterial): void {
    this.#server.setSecureContext({
      ...this.#tls,
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION, // the peer of a connection cannot change
      ca: clientCA === '' ? [] : [clientCA],
      ...(pair !== undefined && { cert: pair.certificate, key: pair.key }),
    });
  }

  /** Closes every connection, including those of sessions. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
