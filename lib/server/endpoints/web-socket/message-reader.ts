import { ByteQueue } from '#lib/server/channel/byte-queue.ts';
import { CLOSE, isControl, OPCODE } from './frame.ts';
import { type FrameHead, frameHead, MASK_SIZE, unmasked, WebSocketError } from './frame-head.ts';

/** A whole message, or a frame that says something about the connection. */
export interface Message {
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/**
 * Reads messages of at most `limit` bytes, and the control frames between their parts. Keeps little more than twice the limit, and
 * copies each byte a few times, however small the parts are that it comes in.
 */
export class MessageReader {
  readonly #isFromClient: boolean;
  readonly #limit: number;
  /** The beginning of a frame that is not whole. */
  readonly #begun = new ByteQueue();
  /** Bytes of that frame; 0 where its head is not whole. */
  #wanted = 0;
  /** The parts of a message that is not whole. */
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

/** All bytes of the queue, which is empty then. */
function wholeOf(queue: ByteQueue): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) pieces.push(next);
  return Buffer.concat(pieces);
}
