import type { Json } from '#lib/machinery/json-value.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { ByteStream } from './byte-stream.ts';
import type { DataFrame, Frame } from './frame.ts';
import { ReceiveWindow } from './receive-window.ts';
import { SendWindow } from './send-window.ts';

/** The time in ms after which an unanswered `open` is sent again, and the time after which it fails. */
const OPEN_AGAIN = 1000;
const OPEN_TIMEOUT = 5000;
/** The time in ms after which unacknowledged data is sent again, and the number of repeats after which the stream fails. */
const SEND_AGAIN = 2000;
const MAX_REPEATS = 3;
/** The interval in ms at which a full reader is probed. */
const PROBE = { duration: SEND_AGAIN, factor: 2, cap: 60_000 };
/** The delay in ms of an acknowledgement, and the number of bytes that trigger one at once. */
const ACKNOWLEDGE_AFTER = 100;
const ACKNOWLEDGE_BYTES = 64 * 1024;

/** The peer did not answer the `open` of a stream in time. */
export class NoAnswer extends TransportError {}

/** The interface from a stream to its session. */
export interface StreamPorts {
  /** The monotonic time in ms. */
  now(): number;
  /** Called when the stream has a frame to send, or an earlier deadline. */
  changed(stream: ChannelStream): void;
  /** Called when the stream is over. `lastWord` is the reply to later frames of the stream. */
  over(stream: ChannelStream, lastWord: Frame): void;
}

type State = 'opening' | 'accepting' | 'open' | 'closing' | 'over';

/** One stream of a session. Both ends use the same state machine. */
export class ChannelStream implements ByteStream {
  readonly id: number;
  readonly incoming: AsyncIterable<Uint8Array>;
  readonly #ports: StreamPorts;
  readonly #send = new SendWindow();
  readonly #receive: ReceiveWindow;
  readonly #opened = Promise.withResolvers<void>();
  readonly #body: Json;
  #state: State;
  #reason = '';
  /** Whether to send `open`, `close` or `window` now. */
  #opens: boolean;
  #closes = false;
  #probes = false;
  /** The number of probes since the reader became full. */
  #probed = 0;
  #acknowledges = false;
  #acknowledgeAt = Number.POSITIVE_INFINITY;
  /** The receive state that was last sent to the peer. */
  #told = { received: 0, limit: 0 };
  /** When to send again, and the number of repeats so far. */
  #repeatAt = Number.POSITIVE_INFINITY;
  #repeats = 0;
  #openUntil: number;

  /** If `body` is set, this end opens the stream. Otherwise the peer has opened it. */
  constructor(id: number, ports: StreamPorts, body?: Json) {
    this.id = id;
    this.#ports = ports;
    this.#body = body ?? null;
    this.#state = body === undefined ? 'accepting' : 'opening';
    this.#opens = body !== undefined;
    this.#openUntil = ports.now() + OPEN_TIMEOUT;
    if (this.#opens) this.#repeatAt = ports.now() + OPEN_AGAIN;
    this.#receive = new ReceiveWindow(() => this.#consumed());
    this.incoming = { [Symbol.asyncIterator]: () => this.#receive.read() };
    this.#opened.promise.catch(() => undefined); // the opener may already be gone
  }

  /** Resolves when the peer has accepted the stream. Rejects with TransportError. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  write(bytes: Uint8Array): Promise<void> {
    const written = this.#send.write(bytes);
    this.#ports.changed(this);
    return written;
  }

  end(): void {
    this.#send.end();
    this.#ports.changed(this);
  }

  get delivered(): Promise<void> {
    return this.#send.delivered;
  }

  destroy(): void {
    this.close('destroyed');
  }

  /** Allows the peer to send. */
  accept(): void {
    if (this.#state !== 'accepting') return;
    this.#state = 'open';
    this.#acknowledges = true;
    this.#ports.changed(this);
  }

  /** Aborts the stream and sends the reason until the peer acknowledges it. */
  close(reason: string): void {
    if (this.#state === 'over' || this.#state === 'closing') return;
    this.#state = 'closing';
    this.#reason = reason;
    this.#closes = true;
    this.#repeats = 0;
    this.#break(reason);
    this.#ports.changed(this);
  }

  /** Ends the stream without notifying the peer. */
  fail(reason: string): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#break(reason);
    this.#ports.over(this, { type: 'close', stream: this.id, reason, answer: true });
  }

  #break(reason: string): void {
    const error = new TransportError(reason, { isReset: true });
    this.#opened.reject(error);
    this.#send.fail(error);
    this.#receive.fail(error);
  }

  /** Handles a frame of this stream. */
  take(frame: Exclude<Frame, { readonly type: 'hello' | 'ring' | 'ping' | 'pong' }>): void {
    if (frame.type === 'close') return this.#closed(frame.reason, frame.answer);
    if (this.#state === 'opening') this.#answered();
    if (this.#state === 'closing') this.#closes = true;
    else if (frame.type === 'open') this.#acknowledges = this.#state === 'open';
    else if (frame.type === 'window') this.#window(frame.received, frame.limit);
    else if (this.#state === 'open') this.#data(frame);
    this.#settle();
    this.#ports.changed(this);
  }

  #closed(reason: string, answer: boolean): void {
    if (!answer) this.#reason = reason;
    const lastWord = { type: 'close', stream: this.id, reason, answer: true } as const;
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#break(reason);
    this.#ports.over(this, lastWord);
  }

  /** Called when the peer has accepted the stream. The stream's first bytes may arrive before that answer. */
  #answered(): void {
    this.#state = 'open';
    this.#opens = false;
    this.#acknowledges = true; // allows the peer to send from now on
    this.#opened.resolve();
  }

  #window(received: number, limit: number): void {
    this.#send.acknowledge(received, limit);
    this.#repeats = 0;
    this.#repeatAt = Number.POSITIVE_INFINITY;
    this.#expectAnswer();
  }

  #data(frame: DataFrame): void {
    const isNew = this.#receive.accept(frame);
    const unacknowledged = this.#receive.received - this.#told.received;
    if (!isNew || this.#receive.isDone || unacknowledged >= ACKNOWLEDGE_BYTES) this.#acknowledges = true;
    else this.#acknowledgeAt = Math.min(this.#acknowledgeAt, this.#ports.now() + ACKNOWLEDGE_AFTER);
  }

  /** Called when the reader has freed space. Notifies the peer once enough space is free. */
  #consumed(): void {
    if (this.#state !== 'open' || this.#receive.limit - this.#told.limit < ACKNOWLEDGE_BYTES) return;
    this.#acknowledges = true;
    this.#ports.changed(this);
  }

  /** Ends the stream if both directions are done. Keeps the last acknowledgement to answer repeated frames. */
  #settle(): void {
    if (this.#state !== 'open' || !this.#send.isDone || !this.#receive.isDone || this.#acknowledges) return;
    this.#state = 'over';
    this.#ports.over(this, this.#windowFrame());
  }

  /** Returns the next frame to send. Undefined if there is none now. */
  next(): Frame | undefined {
    const frame = this.#control() ?? this.#piece();
    if (frame !== undefined) this.#settle();
    return frame;
  }

  #control(): Frame | undefined {
    const stream = this.id;
    if (this.#closes) {
      this.#closes = false;
      this.#repeatAt = this.#ports.now() + SEND_AGAIN;
      return { type: 'close', stream, reason: this.#reason, answer: false };
    }
    if (this.#opens) {
      this.#opens = false;
      return { type: 'open', stream, body: this.#body };
    }
    return this.#acknowledges && this.#state === 'open' ? this.#windowFrame() : undefined;
  }

  #windowFrame(): Frame {
    const { received, limit } = this.#receive;
    this.#told = { received, limit };
    this.#acknowledges = false;
    this.#acknowledgeAt = Number.POSITIVE_INFINITY;
    return { type: 'window', stream: this.id, received, limit };
  }

  #piece(): Frame | undefined {
    if (this.#state !== 'open') return undefined;
    if (this.#probes) return this.#probe();
    const piece = this.#send.take();
    this.#expectAnswer();
    return piece === undefined ? undefined : { type: 'data', stream: this.id, ...piece };
  }

  /** Returns a frame that asks whether the peer has space now. The interval grows. The earlier answer may have been lost. */
  #probe(): Frame {
    this.#probes = false;
    this.#probed++;
    this.#repeatAt = this.#ports.now() + delayAfter(this.#probed, PROBE);
    return { type: 'data', stream: this.id, offset: this.#send.offset, bytes: new Uint8Array(), end: false };
  }

  /** Sets the time of the next repeat if an answer is expected and none is set. */
  #expectAnswer(): void {
    const { isBlocked, isWaiting } = this.#send;
    if (!isBlocked) this.#probed = 0;
    if (!isWaiting && !isBlocked) this.#repeatAt = Number.POSITIVE_INFINITY;
    else if (this.#repeatAt === Number.POSITIVE_INFINITY)
      this.#repeatAt = this.#ports.now() + (isWaiting ? SEND_AGAIN : delayAfter(this.#probed + 1, PROBE));
  }

  /** The monotonic time in ms at which to call `tick`. */
  get deadline(): number {
    return Math.min(this.#repeatAt, this.#acknowledgeAt);
  }

  /** Whether the peer has not yet accepted the stream. */
  get isOpening(): boolean {
    return this.#state === 'opening';
  }

  /** Performs everything that is due. */
  tick(now: number): void {
    if (this.#acknowledgeAt <= now) {
      this.#acknowledges = true;
      this.#acknowledgeAt = Number.POSITIVE_INFINITY;
    }
    if (this.#repeatAt <= now) this.#repeat(now);
    if (this.#state !== 'over') this.#ports.changed(this);
  }

  #repeat(now: number): void {
    this.#repeatAt = Number.POSITIVE_INFINITY;
    this.#repeats += 1;
    if (this.#state === 'opening') {
      if (now >= this.#openUntil) this.#giveUp();
      else this.#openAgain(now);
    } else if (this.#state === 'closing') {
      if (this.#repeats > MAX_REPEATS) this.fail(this.#reason);
      else this.#closes = true;
    } else if (this.#repeats > MAX_REPEATS) this.close('lost');
    else if (this.#send.isWaiting) this.#send.repeat();
    else this.#probes = this.#send.isBlocked;
  }

  #giveUp(): void {
    this.#opened.reject(new NoAnswer('no answer', { isReset: true }));
    this.close('no answer');
  }

  #openAgain(now: number): void {
    this.#opens = true;
    this.#repeatAt = now + OPEN_AGAIN;
  }

  /** Continues on a new connection: sends everything in flight again. */
  resume(): void {
    this.#repeats = 0;
    this.#opens = this.#state === 'opening';
    this.#closes = this.#state === 'closing';
    this.#acknowledges = this.#state === 'open';
    this.#openUntil = Math.max(this.#openUntil, this.#ports.now() + OPEN_AGAIN);
    this.#send.repeat();
    this.#ports.changed(this);
  }
}
