import type { ByteStream } from './byte-stream.ts';
import type { Purpose } from './grant.ts';

/** The node whose channel leads to an endpoint, and the purpose. */
export interface Via {
  readonly node: string;
  readonly purpose: Purpose;
}

/** An endpoint to dial. */
export interface Target {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** If true, every address of the host must be a global unicast address, which upstream requires if users choose the path. */
  readonly globalOnly: boolean;
  /** Absent if the host is dialled directly. */
  readonly via?: Via;
}

/** Opens streams to kubelets, pods and endpoints. */
export interface Dialer {
  /** Throws TransportError with Go's text, and BadRequest if the address is forbidden. Aborting also ends the stream. */
  dial(target: Target, signal: AbortSignal): Promise<ByteStream>;
}
