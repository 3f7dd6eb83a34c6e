import { randomBytes } from 'node:crypto';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { MessageTransport } from '#lib/server/channel/message-transport.ts';
import type { Upgrade } from '#lib/server/channel/upgrade.ts';
import { CLOSE, closeFrame, frame, OPCODE } from './frame.ts';
import { WebSocketError } from './frame-head.ts';
import { checkClose } from './frame-reader.ts';
import { MessageReader } from './message-reader.ts';

/** The opcode of a message. */
export type MessageKind = typeof OPCODE.text | typeof OPCODE.binary;

/** How a WebSocket is used. */
export interface MessageSocketOptions {
  /** Whether this end requested the WebSocket. It then masks its messages. */
  readonly isClient: boolean;
  /** The maximum size in bytes of a message from the peer. */
  readonly limit: number;
  /** Whether messages are UTF-8 text. Default binary. */
  readonly isText?: boolean;
  /** Allows messages of both kinds. `isText` is then the default kind for sending. */
  readonly takesBoth?: true;
  /**
   * Called with a message and its opcode. Reading pauses until the promise resolves. An error closes the WebSocket as broken, and the peer
   * receives its message.
   */
  message(payload: Uint8Array, opcode: MessageKind): void | Promise<void>;
}

/** The maximum number of queued frames. Above it, pings get no pong. */
const MAX_WAITING = 16;

interface Outgoing {
  readonly bytes: Uint8Array;
  readonly sent?: () => void;
  readonly failed?: (error: Error) => void;
}

/** One end of a bidirectional WebSocket of messages of one or both kinds (RFC 6455). */
export class MessageSocket implements MessageTransport, Upgrade {
  readonly parallel = 1;
  /** The frames for the peer, until the WebSocket closes. */
  readonly outgoing: AsyncIterable<Uint8Array>;
  readonly #options: MessageSocketOptions;
  readonly #queue: Outgoing[] = [];
  readonly #closed = Promise.withResolvers<string>();
  #isOver = false;
  #wake = (): void => {};

  constructor(options: MessageSocketOptions) {
    this.#options = options;
    this.outgoing = { [Symbol.asyncIterator]: () => this.#sent() };
  }

  /** Resolves when the WebSocket closes, with the peer's reason. '' if it gave none. */
  get closed(): Promise<string> {
    return this.#closed.promise;
  }

  /** Resolves when the connection has accepted the message. */
  send(message: Uint8Array, kind: MessageKind = this.#kind): Promise<void> {
    if (this.#isOver) return Promise.reject(new Error('the WebSocket is closed'));
    return new Promise((sent, failed) => this.#put({ bytes: frame(kind, message, this.#mask()), sent, failed }));
  }

  close(reason: string, status: number = reason === '' ? CLOSE.normal : CLOSE.policy): void {
    if (!this.#isOver) this.#end(closeFrame(status, reason, this.#mask()));
  }

  /** Keeps reading after the end and ignores the input. A reader that stops would break the connection before the close frame is sent. */
  async receive(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { isClient, limit } = this.#options;
    const reader = new MessageReader(!isClient, limit);
    try {
      for await (const chunk of bytes) if (!this.#isOver) await this.#read(reader, chunk);
    } catch {
      // the connection broke
    } finally {
      this.#end();
      this.#closed.resolve('');
    }
  }

  async #read(reader: MessageReader, chunk: Uint8Array): Promise<void> {
    try {
      for (const { opcode, payload } of reader.read(chunk)) {
        if (opcode === OPCODE.close) return this.#closedBy(payload);
        if (opcode === OPCODE.ping && this.#queue.length < MAX_WAITING)
          this.#put({ bytes: frame(OPCODE.pong, payload, this.#mask()) });
        if (opcode !== OPCODE.text && opcode !== OPCODE.binary) continue;
        if (opcode !== this.#kind && this.#options.takesBoth !== true) throw new WebSocketError(CLOSE.invalidData);
        await this.#options.message(payload, opcode);
        if (this.#isOver) return;
      }
    } catch (error) {
      const status = error instanceof WebSocketError ? error.status : CLOSE.protocolError;
      this.#end(closeFrame(status, messageOfError(error), this.#mask()));
    }
  }

  #closedBy(payload: Uint8Array): void {
    checkClose(payload);
    this.#closed.resolve(Buffer.from(payload.subarray(2)).toString());
    this.#end(closeFrame(CLOSE.normal, '', this.#mask()));
  }

  get #kind(): MessageKind {
    return this.#options.isText === true ? OPCODE.text : OPCODE.binary;
  }

  #mask(): Uint8Array | undefined {
    return this.#options.isClient ? randomBytes(4) : undefined;
  }

  #put(outgoing: Outgoing): void {
    this.#queue.push(outgoing);
    this.#wake();
  }

  /** Sends only the last frame from here on. Queued messages are lost. */
  #end(last?: Uint8Array): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const error = new Error('the WebSocket is closed');
    for (const { failed } of this.#queue.splice(0)) failed?.(error);
    if (last !== undefined) this.#put({ bytes: last });
    this.#wake();
  }

  async *#sent(): AsyncGenerator<Uint8Array, void, void> {
    let current: Outgoing | undefined;
    try {
      for (;;) {
        current = this.#queue.shift();
        if (current !== undefined) {
          yield current.bytes;
          current.sent?.();
        } else if (this.#isOver) return;
        else await new Promise<void>((wake) => (this.#wake = wake));
      }
    } finally {
      current?.failed?.(new Error('the WebSocket broke')); // has no effect if it was already sent
      this.#end();
      this.#closed.resolve('');
    }
  }
}
