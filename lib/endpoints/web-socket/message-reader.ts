import { CLOSE, isControl, OPCODE } from './frame.ts';
import { frameHead, MASK_SIZE, unmasked, WebSocketError, type FrameHead } from './frame-head.ts';

/** A whole message, or a frame that says something about the connection. */
export interface Message {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/** Reads messages of at most `limit` bytes, and the control frames between their parts. Keeps no more than twice the limit. */
export class MessageReader {
  readonly #isFromClient: boolean;
  readonly #limit: number;
  /** The beginning of a frame that is not whole. */
  #begun: Uint8Array = new Uint8Array();
  /** The parts of a message that is not whole. */
  #parts: { readonly opcode: number; readonly bytes: Uint8Array[]; length: number } | undefined;

  constructor(isFromClient: boolean, limit: number) {
    this.#isFromClient = isFromClient;
    this.#limit = limit;
  }

  /** Yields the messages that the bytes complete. Throws WebSocketError, after which it must not be called again. */
  *read(chunk: Uint8Array): Generator<Message, void, void> {
    let bytes: Uint8Array = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    for (;;) {
      const head = frameHead(bytes, this.#isFromClient);
      if (head === undefined) break;
      this.#check(head);
      const { size, length } = head;
      if (bytes.length < size + length) break;
      const payload = this.#isFromClient
        ? unmasked(bytes.subarray(size - MASK_SIZE, size + length))
        : Uint8Array.from(bytes.subarray(size, size + length));
      bytes = bytes.subarray(size + length);
      const message = isControl(head.opcode) ? { opcode: head.opcode, payload } : this.#joined(head, payload);
      if (message !== undefined) yield message;
    }
    this.#begun = Uint8Array.from(bytes);
  }

  #check({ opcode, length }: FrameHead): void {
    if (isControl(opcode)) return;
    if ((opcode === OPCODE.continuation) !== (this.#parts !== undefined)) throw new WebSocketError(CLOSE.protocolError);
    if (length + (this.#parts?.length ?? 0) > this.#limit) throw new WebSocketError(CLOSE.tooBig);
  }

  #joined({ opcode, isLast }: FrameHead, payload: Uint8Array): Message | undefined {
    const parts = this.#parts ?? { opcode, bytes: [], length: 0 };
    this.#parts = isLast ? undefined : parts;
    if (isLast && parts.bytes.length === 0) return { opcode, payload };
    parts.bytes.push(payload);
    parts.length += payload.length;
    return isLast ? { opcode: parts.opcode, payload: Buffer.concat(parts.bytes) } : undefined;
  }
}
