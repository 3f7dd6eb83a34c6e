import { CLOSE, isControl, masked, OPCODE } from './frame.ts';

/** The other end broke the protocol: the WebSocket is closed with the status. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
  readonly status: number;

  constructor(status: number) {
    super(`the other end broke the protocol of WebSockets: ${status}`);
    this.status = status;
  }
}

/** Bytes that the other end may send in one frame: upstream's limit. */
const MAX_PAYLOAD = 32 * 1024 * 1024;
const MAX_CONTROL_PAYLOAD = 125;
/** Bytes of a mask. */
export const MASK_SIZE = 4;
const KNOWN: ReadonlySet<number> = new Set(Object.values(OPCODE));

/** The head of a frame. */
export interface FrameHead {
  readonly opcode: number;
  /** The last frame of its message. */
  readonly isLast: boolean;
  /** Bytes before the payload, its mask included. */
  readonly size: number;
  /** Bytes of the payload. */
  readonly length: number;
}

/** The head at the beginning of the bytes; undefined where it is not whole. Clients mask, servers do not. Throws WebSocketError. */
export function frameHead(bytes: Uint8Array, isFromClient: boolean): FrameHead | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const opcode = first & 0x0f;
  const short = second & 0x7f;
  const isLast = (first & 0x80) !== 0;
  const isMasked = (second & 0x80) !== 0;
  const hasExtension = (first & 0x70) !== 0; // none was agreed on
  const isWrong = isControl(opcode) && (!isLast || short > MAX_CONTROL_PAYLOAD);
  if (!KNOWN.has(opcode) || isMasked !== isFromClient || hasExtension || isWrong)
    throw new WebSocketError(CLOSE.protocolError);
  const size = 2 + lengthSize(short) + (isMasked ? MASK_SIZE : 0);
  if (bytes.length < size) return undefined;
  return { opcode, isLast, size, length: lengthOf(bytes, short) };
}

/** How many bytes say a length for which there is no room among the first two. */
const lengthSize = (short: number): number => (short < 126 ? 0 : short === 126 ? 2 : 8);

function lengthOf(bytes: Uint8Array, short: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (short < 126) return short;
  if (short === 126) return view.getUint16(2);
  const length = view.getBigUint64(2);
  if (length > MAX_PAYLOAD) throw new WebSocketError(CLOSE.tooBig);
  return Number(length);
}

/** The payload behind its mask. */
export const unmasked = (bytes: Uint8Array): Uint8Array =>
  masked(bytes.subarray(MASK_SIZE), bytes.subarray(0, MASK_SIZE));
