import { CLOSE, isControl } from './frame.ts';
import { frameHead, MASK_SIZE, unmasked, WebSocketError } from './frame-head.ts';

/** A client's control frame, unmasked. */
export interface ControlFrame {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/**
 * Reads the frames of a client on a WebSocket on which only the server sends messages. Returns control frames and skips messages. Keeps at
 * most 130 bytes between two reads, however the bytes are split.
 */
export class FrameReader {
  /** The beginning of a frame with an incomplete head or control payload. */
  #begun: Uint8Array = new Uint8Array();
  /** The remaining bytes of a message to skip. */
  #skip = 0;

  /** Yields the control frames that the bytes complete. After a WebSocketError, the caller must not read any further. */
  *read(chunk: Uint8Array): Generator<ControlFrame, void, void> {
    let bytes: Uint8Array = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.length);
      this.#skip -= skipped;
      bytes = bytes.subarray(skipped);
      const head = frameHead(bytes, true);
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

/** Validates the payload of a close frame. Throws WebSocketError if RFC 6455 does not allow it. */
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

/** Whether a client may send the status: those of RFC 6455, of its registry, and of applications. */
const isStatus = (status: number): boolean =>
  (status >= 1000 && status <= 1014 && !(status >= 1004 && status <= 1006)) || (status >= 3000 && status < 5000);
