import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError, serviceUnavailable } from '#lib/machinery/errors.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { measuredStream } from '#lib/server/endpoints/metrics/measured-stream.ts';
import { CLOSE, OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { WebSocketError } from '#lib/server/endpoints/web-socket/frame-head.ts';
import type { Handshake } from '#lib/server/endpoints/web-socket/handshake.ts';
import { type MessageKind, MessageSocket } from '#lib/server/endpoints/web-socket/message-socket.ts';
import { SessionEnd, type SessionLink, type SessionMessage } from './session.ts';

/** The maximum size of a client's message in bytes. */
const MAX_MESSAGE = 1024 * 1024;
/** The maximum number of messages, and of their characters or bytes, that wait for the function. Above it, the client is slowed down. */
const MAX_WAITING = 16;
const MAX_WAITING_SIZE = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The server's end of a session: a WebSocket that queues messages until the function reads them. */
export class ConnectSocket implements SessionLink {
  readonly protocol: string;
  /** Aborts when the client disconnects or the server shuts down. */
  readonly signal: AbortSignal;
  /** Resolves when the function requests the protocol switch. Rejects if the client no longer waits. */
  readonly opened: Promise<void>;
  readonly #open = Promise.withResolvers<void>();
  readonly #headers: Handshake['headers'];
  readonly #closed = new AbortController();
  readonly #waiting: SessionMessage[] = [];
  #size = 0;
  readonly #socket = new MessageSocket({
    isClient: false,
    limit: MAX_MESSAGE,
    takesBoth: true,
    message: (payload, kind) => this.#take(payload, kind),
  });
  #came = (): void => {};
  #hasRoom = (): void => {};

  /** `signal` aborts when the client disconnects or the server shuts down. */
  constructor({ protocol, headers }: Handshake, signal: AbortSignal) {
    this.protocol = protocol;
    this.#headers = headers;
    this.opened = this.#open.promise;
    this.signal = AbortSignal.any([signal, this.#closed.signal]);
    const listener = onAbort(signal, () => this.#socket.close('', CLOSE.goingAway));
    onAbort(this.signal, () => this.#over());
    void this.#socket.closed.then(() => {
      listener[Symbol.dispose]();
      this.#closed.abort();
    });
  }

  /** Returns the response that switches protocols. `ended` is called when the session is over. */
  answer(ended: () => void): ApiResponse {
    const body = measuredStream(this.#socket.outgoing, ended);
    return { status: 101, headers: { ...this.#headers }, body, upgrade: this.#socket };
  }

  open(): void {
    this.#open.resolve();
  }

  async receive(): Promise<SessionMessage | undefined> {
    while (this.#waiting.length === 0 && !this.signal.aborted)
      await new Promise<void>((resolve) => (this.#came = resolve));
    const next = this.#waiting.shift();
    this.#size -= next?.length ?? 0;
    if (!this.#isFull) this.#hasRoom();
    return next;
  }

  async send(message: SessionMessage): Promise<void> {
    const isText = typeof message === 'string';
    try {
      await this.#socket.send(isText ? Buffer.from(message) : message, isText ? OPCODE.text : OPCODE.binary);
    } catch (error) {
      this.#closed.abort(); // the author needs to see the reason
      throw error;
    }
  }

  /** Closes the session after the function has returned or failed. The close frame reports the outcome. */
  end(error?: unknown): void {
    if (error === undefined) return this.#socket.close('');
    if (error instanceof SessionEnd) return this.#socket.close(error.message, error.status);
    this.#socket.close(error instanceof StatusError ? messageOfError(error) : '', CLOSE.internalError);
  }

  async #take(payload: Uint8Array, kind: MessageKind): Promise<void> {
    const message = kind === OPCODE.text ? decoded(payload) : payload;
    this.#waiting.push(message);
    this.#size += message.length;
    this.#came();
    if (this.#isFull && !this.signal.aborted) await new Promise<void>((resolve) => (this.#hasRoom = resolve));
  }

  get #isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING || this.#size >= MAX_WAITING_SIZE;
  }

  #over(): void {
    this.#open.reject(serviceUnavailable('the connection has ended'));
    this.#came();
    this.#hasRoom();
  }
}

function decoded(payload: Uint8Array): string {
  try {
    return utf8.decode(payload);
  } catch {
    throw new WebSocketError(CLOSE.invalidData);
  }
}
