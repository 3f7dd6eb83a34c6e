import type { ByteStream } from './byte-stream.ts';
import type { Purpose } from './grant.ts';

/** The node by whose channel an end is reached, and what for. */
export interface Via {
  readonly node: string;
  readonly purpose: Purpose;
}

/** One end to reach. */
export interface Target {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** Every address of the host has to be a global unicast address: upstream's rule where users choose the path. */
  readonly globalOnly: boolean;
  /** Absent where it is dialled directly. */
  readonly via?: Via;
}

/** Opens streams to kubelets, pods and endpoints. */
export interface Dialer {
  /** Throws TransportError with Go's text, and BadRequest where the address is not allowed. Aborting ends the stream as well. */
  dial(target: Target, signal: AbortSignal): Promise<ByteStream>;
}
