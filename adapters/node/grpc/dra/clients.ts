import type { DRAClients } from '#lib/node/kubelet/cm/dra/driver-calls.ts';
import type { DRAPlugin } from '#lib/node/kubelet/cm/dra/plugin/dra-plugins.ts';
import { DRAResourceHealthDefinition } from '#lib/node/kubelet-api/generated/dra-health-v1alpha1.ts';
import { DRAPluginDefinition } from '#lib/node/kubelet-api/generated/dra-v1.ts';
import { DRAPluginDefinition as DRAPluginV1Beta1 } from '#lib/node/kubelet-api/generated/dra-v1beta1.ts';
import type { DRAClient, DRAHealthClient } from '#lib/node/kubelet-api/services.ts';
import { dialSocket, type SocketChannel } from '../client.ts';

/** Maximum bytes of a driver's message, which is the limit of Go's gRPC. */
const MAX_MESSAGE = 4 * 1024 * 1024;

/** Connections to the sockets of DRA drivers, one per driver. */
export class SocketDRAClients implements DRAClients, Disposable {
  readonly #channels = new Map<string, SocketChannel>();

  client({ endpoint, chosenService }: DRAPlugin): DRAClient {
    const channel = this.#channel(endpoint);
    return chosenService === 'v1beta1.DRAPlugin'
      ? channel.client(DRAPluginV1Beta1)
      : channel.client(DRAPluginDefinition);
  }

  /** A client of the service that reports the health of a driver's devices. The service is optional for drivers. */
  healthClient({ endpoint }: DRAPlugin): DRAHealthClient {
    return this.#channel(endpoint).client(DRAResourceHealthDefinition);
  }

  /** Closes the connection to a driver that was removed. */
  release(endpoint: string): void {
    this.#channels.get(endpoint)?.[Symbol.dispose]();
    this.#channels.delete(endpoint);
  }

  [Symbol.dispose](): void {
    for (const endpoint of this.#channels.keys()) this.release(endpoint);
  }

  #channel(endpoint: string): SocketChannel {
    const channel = this.#channels.get(endpoint) ?? dialSocket(endpoint, { maxMessage: MAX_MESSAGE });
    this.#channels.set(endpoint, channel);
    return channel;
  }
}
