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
  /** This end asked for the WebSocket: it masks what it sends. */
  readonly isClient: boolean;
  /** Bytes of a message at most, of the other end's. */
  readonly limit: number;
  /** Messages are text in UTF-8. Default binary. */
  readonly isText?: boolean;
  /** Messages of both kinds come; `isText` is the kind of those that are sent without one. */
  readonly takesBoth?: true;
  /**
   * Takes a message of the opcode. Nothing more is read until its promise resolves. What it throws closes the WebSocket as broken, and the
   * other end is told its message.
   */
  message(payload: Uint8Array, opcode: MessageKind): void | Promise<void>;
}

/** Frames that may wait for the connection before pings go unanswered. */
const MAX_WAITING = 16;

interface Outgoing {
  readonly bytes: Uint8Array;
  readonly sent?: () => void;
  readonly failed?: (error: Error) => void;
}

/** One end of a WebSocket of messages both ways, of one kind or both (RFC 6455). */
export class MessageSocket implements MessageTransport, Upgrade {
  readonly parallel = 1;
  /** The frames for the other end, until the WebSocket is over. */
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

  /** Resolves when the WebSocket is over, with the other end's reason; '' where it gave none. */
  get closed(): Promise<string> {
    return this.#closed.promise;
  }

  /** Resolves when the connection has taken the message. */
  send(message: Uint8Array, kind: MessageKind = this.#kind): Promise<void> {
    if (this.#isOver) return Promise.reject(new Error('the WebSocket is closed'));
    return new Promise((sent, failed) => this.#put({ bytes: frame(kind, message, this.#mask()), sent, failed }));
  }

  close(reason: string, status: number = reason === '' ? CLOSE.normal : CLOSE.policy): void {
    if (!this.#isOver) this.#end(closeFrame(status, reason, this.#mask()));
  }

  /** Reads on, unheard, behind the end: a reader that stops would break the connection before the close frame is sent. */
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

  /** Nothing more is sent but the last frame; messages that wait are lost. */
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
      current?.failed?.(new Error('the WebSocket broke')); // without effect where it was sent
      this.#end();
      this.#closed.resolve('');
    }
  }
}
