import type { Upgrade } from '#lib/server/channel/upgrade.ts';
import type { ApiRequest, ApiResponse } from '../api.ts';
import { CLOSE, closeFrame, frame, OPCODE } from './frame.ts';
import { WebSocketError } from './frame-head.ts';
import { checkClose, FrameReader } from './frame-reader.ts';
import type { Handshake } from './handshake.ts';

/** A WebSocket on which only the server has messages: upstream's watches and logs. Its client's messages are skipped. */
export class WebSocketSession implements Upgrade {
  readonly isOwn = true;
  /** The subprotocol that was agreed on, '' for none. */
  readonly protocol: string;
  /** Aborts when the client closes, breaks the protocol or goes away, or when the server ends: then messages are to end. */
  readonly signal: AbortSignal;
  readonly #headers: Handshake['headers'];
  readonly #turn: ApiRequest['turn'];
  readonly #closed = new AbortController();
  #status: number = CLOSE.normal;
  /** Why the client's bytes broke off. */
  #failure: unknown;
  /** The answer to the latest ping; earlier ones need none (RFC 6455, 5.5.3). */
  #pong: Uint8Array | undefined;
  #wake = (): void => {};

  constructor({ signal, turn }: Pick<ApiRequest, 'signal' | 'turn'>, { protocol, headers }: Handshake) {
    this.#turn = turn;
    this.protocol = protocol;
    this.#headers = headers;
    this.signal = AbortSignal.any([signal, this.#closed.signal]);
  }

  /** The switch of protocols, and frames until they end. */
  answer(frames: AsyncIterable<Uint8Array>): ApiResponse {
    return { status: 101, headers: { ...this.#headers }, body: this.#sent(frames), upgrade: this };
  }

  /** Reads on, unheard, behind the client's close frame: a reader that stops would end the connection before the answer to it. */
  async receive(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const reader = new FrameReader();
    try {
      for await (const chunk of bytes) {
        await this.#turn?.(); // 64 KiB may be 10,000 pings
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

  /** The frames, pongs between them, and a close frame behind them. */
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

  /** Waits until the promise settles, whatever it becomes. */
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
