import { CLOSE, isControl, masked, OPCODE } from './frame.ts';

/** The peer broke the protocol. The WebSocket closes with the status. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
  readonly status: number;

  constructor(status: number) {
    super(`the other end broke the protocol of WebSockets: ${status}`);
    this.status = status;
  }
}

/** The maximum payload in bytes that the peer may send in one frame: upstream's limit. */
const MAX_PAYLOAD = 32 * 1024 * 1024;
const MAX_CONTROL_PAYLOAD = 125;
/** The size of a mask in bytes. */
export const MASK_SIZE = 4;
const KNOWN: ReadonlySet<number> = new Set(Object.values(OPCODE));

/** The head of a frame. */
export interface FrameHead {
  readonly opcode: number;
  /** Whether it is the last frame of its message. */
  readonly isLast: boolean;
  /** The bytes before the payload, including its mask. */
  readonly size: number;
  /** The size of the payload in bytes. */
  readonly length: number;
}

/**
 * Parses the head at the beginning of the bytes. Returns undefined if it is incomplete. Clients mask, servers do not. Throws
 * WebSocketError.
 */
export function frameHead(bytes: Uint8Array, isFromClient: boolean): FrameHead | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const opcode = first & 0x0f;
  const short = second & 0x7f;
  const isLast = (first & 0x80) !== 0;
  const isMasked = (second & 0x80) !== 0;
  const hasExtension = (first & 0x70) !== 0; // no extension was negotiated
  const isWrong = isControl(opcode) && (!isLast || short > MAX_CONTROL_PAYLOAD);
  if (!KNOWN.has(opcode) || isMasked !== isFromClient || hasExtension || isWrong)
    throw new WebSocketError(CLOSE.protocolError);
  const size = 2 + lengthSize(short) + (isMasked ? MASK_SIZE : 0);
  if (bytes.length < size) return undefined;
  return { opcode, isLast, size, length: lengthOf(bytes, short) };
}

/** Returns the number of extra bytes for a length that does not fit in the first two. */
const lengthSize = (short: number): number => (short < 126 ? 0 : short === 126 ? 2 : 8);

function lengthOf(bytes: Uint8Array, short: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (short < 126) return short;
  if (short === 126) return view.getUint16(2);
  const length = view.getBigUint64(2);
  if (length > MAX_PAYLOAD) throw new WebSocketError(CLOSE.tooBig);
  return Number(length);
}

/** Removes the mask before the payload, and applies it. */
export const unmasked = (bytes: Uint8Array): Uint8Array =>
  masked(bytes.subarray(MASK_SIZE), bytes.subarray(0, MASK_SIZE));
