import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { badRequest } from '#lib/machinery/errors.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import { isProxyable } from '#lib/server/channel/address-rules.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import type { Dialer, Target } from '#lib/server/channel/dialer.ts';
import { faultText } from '#lib/server/webhook/fault-text.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { Lookups, type Resolve } from './lookups.ts';
import { streamOf } from './stream.ts';

/** The addresses and limits of a dialer. */
export interface TcpDialerOptions {
  /** Addresses that are never dialled: link-local and metadata. */
  isForbidden(address: string): boolean;
  /** Additional check for paths that users choose. Default: upstream's, which allows only global unicast addresses. */
  isProxyable?(address: string): boolean;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/** Time in ms without data after which a peer is probed. */
const PROBE = 15_000;

/** Dials TCP to the first address of a host. It dials the same address that it has checked. */
export class TcpDialer implements Dialer {
  readonly #options: TcpDialerOptions;
  readonly #names: Lookups;

  constructor(options: TcpDialerOptions) {
    this.#options = options;
    this.#names = new Lookups(options.resolve);
  }

  async dial(target: Target, signal: AbortSignal): Promise<ByteStream> {
    if (!isPort(target.port)) throw new TransportError(`dial tcp: address ${target.port}: invalid port`);
    try {
      return streamOf(await this.#connect(target, await this.#addressOf(target, signal), signal));
    } catch (error) {
      if (error instanceof TransportError || signal.aborted || !isSystemError(error)) throw error;
      throw new TransportError(faultText(error, { connect: target, serverName: target.host }, false), { cause: error });
    }
  }

  async #addressOf({ host, port, globalOnly }: Target, signal: AbortSignal): Promise<string> {
    const found = isAddr(host) ? [host] : await this.#names.addressesOf(host, signal);
    if (found.length === 0) throw new TransportError(`dial tcp: lookup ${host}: no such host`);
    const isAllowed = this.#options.isProxyable ?? isProxyable;
    if (globalOnly && !found.every(isAllowed)) throw badRequest('address not allowed');
    const address = found.find((one) => !this.#options.isForbidden(one));
    if (address === undefined)
      throw new TransportError(
        `dial tcp ${joinHostPort(host, port)}: link-local and metadata addresses are not called`,
      );
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

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port <= 65_535;

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
