import type { Upgrade } from '#lib/server/channel/upgrade.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { ApiResponse } from '../api.ts';
import { CLOSE, closeFrame, frame, OPCODE } from './frame.ts';
import { WebSocketError } from './frame-head.ts';
import { checkClose, FrameReader } from './frame-reader.ts';
import type { Handshake } from './handshake.ts';

/** A WebSocket on which only the server sends messages: upstream's watches and logs. The client's messages are skipped. */
export class WebSocketSession implements Upgrade {
  readonly isOwn = true;
  /** The negotiated subprotocol, '' for none. */
  readonly protocol: string;
  /** Aborts when the client closes, breaks the protocol or disconnects, or when the server shuts down. Messages must then end. */
  readonly signal: AbortSignal;
  readonly #headers: Handshake['headers'];
  readonly #turn: ApiRequest['turn'];
  readonly #closed = new AbortController();
  #status: number = CLOSE.normal;
  /** The error that ended the client's bytes. */
  #failure: unknown;
  /** The pong for the latest ping. Earlier pings need none (RFC 6455, 5.5.3). */
  #pong: Uint8Array | undefined;
  #wake = (): void => {};

  constructor({ signal, turn }: Pick<ApiRequest, 'signal' | 'turn'>, { protocol, headers }: Handshake) {
    this.#turn = turn;
    this.protocol = protocol;
    this.#headers = headers;
    this.signal = AbortSignal.any([signal(), this.#closed.signal]);
  }

  /** Returns the switch of protocols with the frames as its body. */
  answer(frames: AsyncIterable<Uint8Array>): ApiResponse {
    return { status: 101, headers: { ...this.#headers }, body: this.#sent(frames), upgrade: this };
  }

  /**
   * Keeps reading after the client's close frame and ignores the input. A reader that stops would end the connection before the close frame
   * is answered.
   */
  async receive(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const reader = new FrameReader();
    try {
      for await (const chunk of bytes) {
        await this.#turn?.(); // 64 KiB may contain 10,000 pings
        if (!this.#closed.signal.aborted) this.#read(reader, chunk);
      }
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#closed.abort();
    }
  }

  #read(reader: FrameReader, chunk: Uint8Array): void {
    try {
      for (const { opcode, payload } of reader.read(chunk)) {
        if (opcode === OPCODE.ping) this.#answer(payload);
        if (opcode !== OPCODE.close) continue;
        checkClose(payload);
        return this.#closed.abort();
      }
    } catch (error) {
      if (!(error instanceof WebSocketError)) throw error;
      this.#status = error.status;
      this.#closed.abort();
    }
  }

  #answer(ping: Uint8Array): void {
    this.#pong = frame(OPCODE.pong, ping);
    this.#wake();
  }

  /** Yields the frames, pongs between them, and a close frame at the end. */
  async *#sent(frames: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    const source = frames[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = source.next();
        yield* this.#pongsUntil(next);
        const arrived = await next;
        if (arrived.done === true) break;
        yield arrived.value;
      }
    } finally {
      await source.return?.();
    }
    if (this.#failure !== undefined) throw this.#failure;
    yield closeFrame(this.#status);
  }

  /** Yields pongs until the promise settles, with either result. */
  async *#pongsUntil(settled: Promise<unknown>): AsyncGenerator<Uint8Array, void, void> {
    const wait = { isOver: false };
    const end = (): void => {
      wait.isOver = true;
      this.#wake();
    };
    void settled.then(end, end);
    while (!wait.isOver) {
      const pong = this.#pong;
      this.#pong = undefined;
      if (pong === undefined) await new Promise<void>((wake) => (this.#wake = wake));
      else yield pong;
    }
  }
}
