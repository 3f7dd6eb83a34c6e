import { ByteQueue } from '#lib/server/channel/byte-queue.ts';
import { CLOSE, isControl, OPCODE } from './frame.ts';
import { type FrameHead, frameHead, MASK_SIZE, unmasked, WebSocketError } from './frame-head.ts';

/** A whole message, or a control frame. */
export interface Message {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/**
 * Reads messages of at most `limit` bytes, and the control frames between their fragments. Buffers little more than twice the limit, and
 * copies each byte only a few times, however small the chunks are.
 */
export class MessageReader {
  readonly #isFromClient: boolean;
  readonly #limit: number;
  /** The beginning of an incomplete frame. */
  readonly #begun = new ByteQueue();
  /** The size of that frame in bytes. 0 if its head is incomplete. */
  #wanted = 0;
  /** The fragments of an incomplete message. */
  #parts: { readonly opcode: number; readonly bytes: ByteQueue } | undefined;

  constructor(isFromClient: boolean, limit: number) {
    this.#isFromClient = isFromClient;
    this.#limit = limit;
  }

  /** Yields the messages that the bytes complete. Throws WebSocketError, after which it must not be called again. */
  *read(chunk: Uint8Array): Generator<Message, void, void> {
    let bytes = chunk;
    if (this.#begun.length > 0) {
      this.#begun.push(chunk);
      if (this.#begun.length < this.#wanted) return;
      bytes = wholeOf(this.#begun);
    }
    this.#wanted = 0;
    for (;;) {
      const head = frameHead(bytes, this.#isFromClient);
      if (head === undefined) break;
      this.#check(head);
      const { size, length } = head;
      if (bytes.length < size + length) {
        this.#wanted = size + length;
        break;
      }
      const payload = this.#isFromClient
        ? unmasked(bytes.subarray(size - MASK_SIZE, size + length))
        : Uint8Array.from(bytes.subarray(size, size + length));
      bytes = bytes.subarray(size + length);
      const message = isControl(head.opcode) ? { opcode: head.opcode, payload } : this.#joined(head, payload);
      if (message !== undefined) yield message;
    }
    this.#begun.push(bytes);
  }

  #check({ opcode, length }: FrameHead): void {
    if (isControl(opcode)) return;
    if ((opcode === OPCODE.continuation) !== (this.#parts !== undefined)) throw new WebSocketError(CLOSE.protocolError);
    if (length + (this.#parts?.bytes.length ?? 0) > this.#limit) throw new WebSocketError(CLOSE.tooBig);
  }

  #joined({ opcode, isLast }: FrameHead, payload: Uint8Array): Message | undefined {
    if (isLast && this.#parts === undefined) return { opcode, payload };
    const parts = this.#parts ?? { opcode, bytes: new ByteQueue() };
    this.#parts = isLast ? undefined : parts;
    parts.bytes.push(payload);
    return isLast ? { opcode: parts.opcode, payload: wholeOf(parts.bytes) } : undefined;
  }
}

/** Removes and returns all bytes of the queue. */
function wholeOf(queue: ByteQueue): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) pieces.push(next);
  return Buffer.concat(pieces);
}
