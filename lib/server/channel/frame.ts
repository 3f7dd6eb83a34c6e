import type { Json } from '#lib/machinery/json-value.ts';

/** The maximum size of a message in bytes: API Gateway's limit for one frame. */
export const MAX_MESSAGE = 32 * 1024;

/** The maximum number of stream bytes in one data frame. Even in base64 its message stays below `MAX_MESSAGE`. */
export const MAX_DATA = 23 * 1024;

/** The maximum number of bytes in flight or unread, per stream and direction. */
export const WINDOW = 256 * 1024;

/**
 * One message of a channel, in either direction. Every frame may be lost, repeated, late or out of order, and each is self-contained. The
 * opener chooses a random stream id of 48 bits. Offsets count a stream's bytes in one direction, and its end counts as one more byte.
 */
export type Frame =
  /** The first message of a connection, which identifies the sender. */
  | { readonly type: 'hello'; readonly body: Json }
  /** Opens a stream. The answer is `window` or `close`. */
  | { readonly type: 'open'; readonly stream: number; readonly body: Json }
  | DataFrame
  /** All bytes before `received` have arrived, and data that ends at or before `limit` may be sent. */
  | { readonly type: 'window'; readonly stream: number; readonly received: number; readonly limit: number }
  /** Aborts a stream in both directions. If `answer` is set, it needs no answer. */
  | { readonly type: 'close'; readonly stream: number; readonly reason: string; readonly answer: boolean }
  /** Notifies the node of a relevant change. */
  | { readonly type: 'ring'; readonly body: Json }
  /** A `pong` with the same number answers a `ping`. */
  | { readonly type: 'ping' | 'pong'; readonly nonce: number };

export interface DataFrame {
  readonly type: 'data';
  readonly stream: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Whether the data is the last. */
  readonly end: boolean;
}

/** A message that is not a frame. Its connection is unusable. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}
