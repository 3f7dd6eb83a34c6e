import type { ByteStream } from './byte-stream.ts';
import type { Via } from './dialer.ts';

/** An endpoint that a node's agent reaches: the node by name, or an address of a pod. */
export interface ChannelEnd {
  readonly host: string;
  readonly port: number;
}

/** The channels of nodes at the API server, independent of the transport. */
export interface Channels {
  /**
   * Returns a defined value if the node must be reached through its channel, even if the channel is lost. Undefined if the node is reached
   * at its address.
   */
  find(node: string): object | undefined;
  /**
   * Opens a stream through the node's channel, with a grant. Without a channel, returns undefined or throws TransportError, like for any
   * error. Aborting also ends the stream.
   */
  open(via: Via, end: ChannelEnd, signal: AbortSignal): Promise<ByteStream> | undefined;
}
