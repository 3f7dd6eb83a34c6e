import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIP, connect, type Socket } from 'node:net';
import { isProxyable } from '#lib/channel/address-rules.ts';
import type { ByteStream } from '#lib/channel/byte-stream.ts';
import type { Dialer, Target } from '#lib/channel/dialer.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { faultText } from '#lib/webhook/fault-text.ts';
import { TransportError } from '#lib/webhook/transport.ts';
import { streamOf } from './stream.ts';

export interface TcpDialerOptions {
  /** Addresses that are never dialled: link-local, metadata. */
  isForbidden(address: string): boolean;
  /** Where users choose the path, too. Default upstream's: global unicast addresses alone. */
  isProxyable?(address: string): boolean;
}

/** Milliseconds after which a silent peer is asked whether it is there. */
const PROBE = 15_000;

/** TCP to the first address of a host. The address that is judged is the one that is dialled. */
export class TcpDialer implements Dialer {
  readonly #options: TcpDialerOptions;

  constructor(options: TcpDialerOptions) {
    this.#options = options;
  }

  async dial(target: Target, signal: AbortSignal): Promise<ByteStream> {
    try {
      return streamOf(await this.#connect(target, await this.#addressOf(target), signal));
    } catch (error) {
      if (error instanceof TransportError || signal.aborted || !isSystemError(error)) throw error;
      throw new TransportError(faultText(error, { connect: target, serverName: target.host }, false), { cause: error });
    }
  }

  async #addressOf({ host, port, globalOnly }: Target): Promise<string> {
    const found = isIP(host) > 0 ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
    const isAllowed = this.#options.isProxyable ?? isProxyable;
    if (globalOnly && !found.every(isAllowed)) throw badRequest('address not allowed');
    const address = found.find((one) => !this.#options.isForbidden(one));
    if (address === undefined)
      throw new TransportError(`dial tcp ${host}:${port}: link-local and metadata addresses are not called`);
    return address;
  }

  async #connect({ port }: Target, address: string, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const socket = connect({
      host: address,
      port,
      keepAlive: true,
      keepAliveInitialDelay: PROBE,
      noDelay: true,
      signal,
    });
    await once(socket, 'connect');
    return socket;
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
