import type { Json } from '#lib/machinery/json-value.ts';

/** Bytes of a message at most: what API Gateway takes in one frame. */
export const MAX_MESSAGE = 32 * 1024;

/** Bytes of a stream in one data frame at most: also in base64 its message stays below `MAX_MESSAGE`. */
export const MAX_DATA = 23 * 1024;

/** Bytes of a stream, in one direction, that may be on the way or unread. */
export const WINDOW = 256 * 1024;

/**
 * One message of a channel, either way. Every frame may be lost, repeated, late or out of order; each is understood by itself.
 * Streams have ids of 48 bits that their opener draws. Offsets count a stream's bytes in one direction; its end counts as one more.
 */
export type Frame =
  /** The first message of a connection: who speaks. */
  | { readonly type: 'hello'; readonly body: Json }
  /** Opens a stream; it is answered by `window`, or by `close`. */
  | { readonly type: 'open'; readonly stream: number; readonly body: Json }
  | DataFrame
  /** Everything before `received` arrived, and what ends at or before `limit` may be sent. */
  | { readonly type: 'window'; readonly stream: number; readonly received: number; readonly limit: number }
  /** Breaks a stream off in both directions. An `answer` is not answered. */
  | { readonly type: 'close'; readonly stream: number; readonly reason: string; readonly answer: boolean }
  /** Something that concerns the node changed. */
  | { readonly type: 'ring'; readonly body: Json }
  /** Answered by a `pong` of the same number. */
  | { readonly type: 'ping' | 'pong'; readonly nonce: number };

export interface DataFrame {
  readonly type: 'data';
  readonly stream: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Nothing follows. */
  readonly end: boolean;
}

/** A message that is no frame: the connection it came on is of no use. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}
