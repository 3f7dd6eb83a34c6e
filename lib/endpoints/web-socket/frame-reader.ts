import { CLOSE, isControl, OPCODE } from './frame.ts';

/** A client's frame that says something about the connection, unmasked. */
export interface ControlFrame {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/** A client broke the protocol: its WebSocket is to be closed with the status. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
  readonly status: number;

  constructor(status: number) {
    super(`the client broke the protocol of WebSockets: ${status}`);
    this.status = status;
  }
}

/** Bytes that a client may send in one frame: upstream's limit. */
const MAX_PAYLOAD = 32 * 1024 * 1024;
const MAX_CONTROL_PAYLOAD = 125;
const MASK_SIZE = 4;
const KNOWN: ReadonlySet<number> = new Set(Object.values(OPCODE));

/**
 * Reads what a client sends on a WebSocket on which only the server has messages: control frames are returned, messages are
 * skipped. Keeps at most 130 bytes between two reads, however the bytes are split.
 */
export class FrameReader {
  /** The beginning of a frame whose head, or whose control payload, is not whole. */
  #begun: Uint8Array = new Uint8Array();
  /** Bytes of a message that are still to be skipped. */
  #skip = 0;

  /** The control frames that the bytes complete. Throws WebSocketError; then nothing may be read any more. */
  *read(chunk: Uint8Array): Generator<ControlFrame, void, void> {
    let bytes: Uint8Array = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.length);
      this.#skip -= skipped;
      bytes = bytes.subarray(skipped);
      const head = headOf(bytes);
      if (head === undefined) break;
      const { opcode, size, length } = head;
      if (isControl(opcode) && bytes.length < size + length) break;
      if (isControl(opcode)) yield { opcode, payload: unmasked(bytes.subarray(size - MASK_SIZE, size + length)) };
      else this.#skip = length;
      bytes = bytes.subarray(isControl(opcode) ? size + length : size);
    }
    this.#begun = Uint8Array.from(bytes);
  }
}

interface Head {
  readonly opcode: number;
  /** Bytes before the payload, its mask included. */
  readonly size: number;
  /** Bytes of the payload. */
  readonly length: number;
}

/** Undefined where the head is not whole. */
function headOf(bytes: Uint8Array): Head | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const opcode = first & 0x0f;
  const short = second & 0x7f;
  const isWhole = (first & 0x80) !== 0;
  const isMasked = (second & 0x80) !== 0;
  const hasExtension = (first & 0x70) !== 0; // none was agreed on
  const isWrong = isControl(opcode) && (!isWhole || short > MAX_CONTROL_PAYLOAD);
  if (!KNOWN.has(opcode) || !isMasked || hasExtension || isWrong) throw new WebSocketError(CLOSE.protocolError);
  const size = 2 + lengthSize(short) + MASK_SIZE;
  if (bytes.length < size) return undefined;
  return { opcode, size, length: lengthOf(bytes, short) };
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
const unmasked = (masked: Uint8Array): Uint8Array =>
  masked.subarray(MASK_SIZE).map((byte, i) => byte ^ (masked[i % MASK_SIZE] ?? 0));

/** Why the client closes, checked: throws WebSocketError where RFC 6455 has no such close frame. */
export function checkClose(payload: Uint8Array): void {
  if (payload.length === 0) return;
  const [high = 0, low] = payload;
  if (low === undefined || !isStatus(high * 256 + low)) throw new WebSocketError(CLOSE.protocolError);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(payload.subarray(2));
  } catch {
    throw new WebSocketError(CLOSE.invalidData);
  }
}

/** Whether a client may send the status: those of RFC 6455 and of the registry behind it, and those of applications. */
const isStatus = (status: number): boolean =>
  (status >= 1000 && status <= 1014 && !(status >= 1004 && status <= 1006)) || (status >= 3000 && status < 5000);
