import { NodeDefinition } from '#lib/node/csi/generated/csi-v1.ts';
import type { CSINodeClient } from '#lib/node/csi/services.ts';
import { dialSocket, type SocketChannel } from '../client.ts';

/** Maximum bytes of a driver's message, which is the limit of Go's gRPC. */
const MAX_MESSAGE = 4 * 1024 * 1024;

/** Connections to the sockets of CSI drivers, one per driver. */
export class SocketCSIClients implements Disposable {
  readonly #channels = new Map<string, SocketChannel>();

  /** The node service at a socket. The connection may be opened later. */
  nodeClient(endpoint: string): CSINodeClient {
    const channel = this.#channels.get(endpoint) ?? dialSocket(endpoint, { maxMessage: MAX_MESSAGE });
    this.#channels.set(endpoint, channel);
    return channel.client(NodeDefinition);
  }

  /** Closes the connection to a driver that was removed. */
  release(endpoint: string): void {
    this.#channels.get(endpoint)?.[Symbol.dispose]();
    this.#channels.delete(endpoint);
  }

  [Symbol.dispose](): void {
    for (const endpoint of this.#channels.keys()) this.release(endpoint);
  }
}
