import type { ByteStream } from './byte-stream.ts';
import type { Via } from './dialer.ts';

/** An end that a node's agent reaches: the node by its name, or an address of a pod. */
export interface ChannelEnd {
  readonly host: string;
  readonly port: number;
}

/** The channels of nodes at the API server, by whichever transport. */
export interface Channels {
  /** Something where the node is to be reached by its channel, which it may have lost; undefined where by its address. */
  find(node: string): object | undefined;
  /** Opens a stream by the node's channel, by a grant. Without a channel it is undefined, or throws TransportError, as for any fault. Aborting ends the stream as well. */
  open(via: Via, end: ChannelEnd, signal: AbortSignal): Promise<ByteStream> | undefined;
}
