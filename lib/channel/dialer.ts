import type { ByteStream } from './byte-stream.ts';

/** One end to reach. */
export interface Target {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** Every address of the host has to be a global unicast address: upstream's rule where users choose the path. */
  readonly globalOnly: boolean;
  /** The node by whose channel it is reached. */
  readonly node?: string;
}

/** Opens streams to kubelets, pods and endpoints. */
export interface Dialer {
  /** Throws TransportError with Go's text, and BadRequest where the address is not allowed. Aborting ends the stream as well. */
  dial(target: Target, signal: AbortSignal): Promise<ByteStream>;
}
