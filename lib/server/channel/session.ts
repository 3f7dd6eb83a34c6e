import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import type { ByteStream } from './byte-stream.ts';
import { ChannelStream, type StreamPorts } from './channel-stream.ts';
import { FinishedStreams } from './finished-streams.ts';
import type { Frame } from './frame.ts';
import { decodeFrame, encodeFrame } from './frame-codec.ts';
import type { MessageTransport } from './message-transport.ts';

/** The maximum number of streams that the peer may have open. */
const MAX_STREAMS = 1000;
/** The time in ms for which streams wait for the next connection. */
const RESUME_TIMEOUT = 30_000;
/** The maximum number of queued answers and pings. More are dropped, because a transport may lose messages anyway. */
const MAX_CONTROL = 1000;
/** The maximum number of characters of a reason. */
const MAX_REASON = 200;

export interface SessionPorts {
  readonly clock: Clock;
  /** Returns a random stream id of 48 bits. */
  randomId(): number;
  /** Called when the peer opens a stream. If it throws, the stream is refused and the peer receives the error's message. */
  accept(body: Json, stream: ByteStream, id: number): void | Promise<void>;
  /** Called when the peer sends a notification. */
  ring(body: Json): void;
}

/**
 * Streams between two ends over changing connections. The transport may lose, repeat, delay and reorder messages. A stream's bytes arrive
 * once and in order, or the stream breaks at both ends. Both ends use the same state machine.
 */
export class Session {
  readonly #ports: SessionPorts;
  readonly #streams = new Map<number, ChannelStream>();
  readonly #finished: FinishedStreams;
  readonly #streamPorts: StreamPorts;
  /** Streams with something to send, in round-robin order. */
  readonly #ready = new Set<ChannelStream>();
  readonly #control: Frame[] = [];
  readonly #pings = new Map<number, () => void>();
  readonly #ended = Promise.withResolvers<string>();
  #transport: MessageTransport | undefined;
  /** The number of messages that the transport has not accepted yet. */
  #sending = 0;
  /** Streams that the peer opened. */
  readonly #accepted = new Set<ChannelStream>();
  /** Ends the wait for the next connection. */
  #waiting = new AbortController();
  #isOver = false;
  #wakeAt = Number.POSITIVE_INFINITY;
  #sleep = new AbortController();

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#finished = new FinishedStreams(ports.clock);
    this.#streamPorts = {
      now: () => ports.clock.monotonic(),
      changed: (stream) => this.#changed(stream),
      over: (stream, lastWord) => this.#over(stream, lastWord),
    };
    this.#awaitConnection();
  }

  /** Resolves with the reason when the session is over. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  get isConnected(): boolean {
    return this.#transport !== undefined;
  }

  /** Whether no stream is open. */
  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Opens a stream. Throws TransportError if the peer refuses it or does not answer within 5 s. Aborting ends it. */
  async open(body: Json | ((stream: number) => Json), signal: AbortSignal): Promise<ByteStream> {
    signal.throwIfAborted();
    if (this.#isOver) throw new TransportError('the channel is closed');
    const id = this.#ports.randomId();
    const stream = new ChannelStream(id, this.#streamPorts, typeof body === 'function' ? body(id) : body);
    this.#streams.set(stream.id, stream);
    onAbort(signal, () => stream.close('given up'));
    this.#changed(stream);
    await stream.opened;
    return stream;
  }

  /** Sends the peer a notification of a change. The notification may be lost. */
  ring(body: Json): void {
    this.#say({ type: 'ring', body });
  }

  /** Whether the peer answers within `timeout` ms. */
  async ping(timeout: number): Promise<boolean> {
    const nonce = this.#ports.randomId();
    const answered = new AbortController();
    this.#pings.set(nonce, () => answered.abort());
    this.#say({ type: 'ping', nonce });
    await this.#ports.clock.sleep(timeout, answered.signal);
    this.#pings.delete(nonce);
    return answered.signal.aborted;
  }

  /** Uses this connection for the streams from now on. Closes the previous one. */
  attach(transport: MessageTransport): void {
    if (this.#isOver) return transport.close('the session is over');
    const before = this.#transport;
    this.#transport = transport;
    this.#waiting.abort();
    this.#sending = 0;
    this.#control.splice(0);
    before?.close('replaced');
    for (const stream of this.#streams.values()) stream.resume();
    this.#pump();
  }

  /** Called when the connection has ended. Streams wait for the next one. */
  detach(transport: MessageTransport): void {
    if (this.#transport !== transport) return;
    this.#transport = undefined;
    this.#awaitConnection();
  }

  /** Ends the session. Its streams break. */
  end(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const stream of this.#streams.values()) stream.fail(reason);
    this.#transport?.close(reason);
    this.#transport = undefined;
    this.#sleep.abort();
    this.#waiting.abort();
    this.#ended.resolve(reason);
  }

  /** Handles a message of the peer from any connection. Throws FrameError if the connection is unusable. */
  receive(message: Uint8Array): void {
    if (this.#isOver) return;
    const frame = decodeFrame(message);
    switch (frame.type) {
      case 'hello':
        return; // handled at the start of the connection
      case 'ring':
        return this.#ports.ring(frame.body);
      case 'ping':
        return this.#say({ type: 'pong', nonce: frame.nonce });
      case 'pong':
        return this.#pings.get(frame.nonce)?.();
      default:
        return this.#take(frame);
    }
  }

  #take(frame: Extract<Frame, { readonly stream: number }>): void {
    const stream = this.#streams.get(frame.stream);
    const isClose = frame.type === 'close';
    if (isClose && !frame.answer) this.#say({ ...frame, answer: true });
    if (stream !== undefined) return stream.take(frame);
    const lastWord = this.#finished.lastWord(frame.stream);
    if (isClose || (lastWord !== undefined && frame.type === 'window')) return;
    if (lastWord !== undefined) this.#say(lastWord);
    else if (frame.type === 'open') this.#accept(frame.stream, frame.body);
    else this.#say({ type: 'close', stream: frame.stream, reason: 'unknown stream', answer: true });
  }

  #accept(id: number, body: Json): void {
    if (this.#accepted.size >= MAX_STREAMS) {
      const refusal: Frame = { type: 'close', stream: id, reason: 'too many streams', answer: true };
      return this.#say(refusal);
    }
    const stream = new ChannelStream(id, this.#streamPorts);
    this.#streams.set(id, stream);
    this.#accepted.add(stream);
    void this.#decide(stream, body);
  }

  async #decide(stream: ChannelStream, body: Json): Promise<void> {
    try {
      await this.#ports.accept(body, stream, stream.id);
      stream.accept();
    } catch (error) {
      stream.close(messageOfError(error).slice(0, MAX_REASON));
    }
  }

  #changed(stream: ChannelStream): void {
    if (this.#streams.get(stream.id) !== stream) return;
    this.#ready.add(stream);
    this.#pump();
    if (stream.deadline < this.#wakeAt) this.#wakeBy(stream.deadline);
  }

  #over(stream: ChannelStream, lastWord: Frame): void {
    this.#streams.delete(stream.id);
    this.#ready.delete(stream);
    this.#accepted.delete(stream);
    this.#finished.add(stream.id, lastWord);
  }

  #say(frame: Frame): void {
    if (this.#transport === undefined || this.#control.length >= MAX_CONTROL) return;
    this.#control.push(frame);
    this.#pump();
  }

  /** Sends pending frames, one stream after another, as fast as the transport accepts them. */
  #pump(): void {
    const transport = this.#transport;
    if (transport === undefined) return;
    while (transport === this.#transport && this.#sending < transport.parallel) {
      const frame = this.#control.shift() ?? this.#nextFrame();
      if (frame === undefined) return;
      this.#sending += 1;
      transport.send(encodeFrame(frame)).then(
        () => this.#sent(transport),
        () => this.detach(transport),
      );
    }
  }

  #sent(transport: MessageTransport): void {
    if (transport !== this.#transport) return;
    this.#sending -= 1;
    this.#pump();
  }

  #nextFrame(): Frame | undefined {
    for (const stream of this.#ready) {
      this.#ready.delete(stream);
      const frame = stream.next();
      if (stream.deadline < this.#wakeAt) this.#wakeBy(stream.deadline);
      if (frame === undefined) continue;
      if (this.#streams.has(stream.id)) this.#ready.add(stream); // after the others
      return frame;
    }
    return undefined;
  }

  /** Sets the timer to the deadline, unless it already fires earlier. */
  #wakeBy(deadline: number): void {
    this.#sleep.abort();
    this.#sleep = new AbortController();
    this.#wakeAt = deadline;
    void this.#tickAt(deadline, this.#sleep.signal);
  }

  async #tickAt(deadline: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    await clock.sleep(Math.max(0, deadline - clock.monotonic()), signal);
    if (signal.aborted || this.#isOver) return;
    this.#wakeAt = Number.POSITIVE_INFINITY;
    const now = clock.monotonic();
    // Without a connection, only the opening of streams times out. The next connection sends everything else again.
    const due = [...this.#streams.values()].filter(({ isOpening }) => isOpening || this.#transport !== undefined);
    for (const stream of due) stream.tick(now);
    const next = Math.min(...due.map((stream) => stream.deadline));
    if (next < this.#wakeAt) this.#wakeBy(next);
  }

  #awaitConnection(): void {
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    void this.#ports.clock.sleep(RESUME_TIMEOUT, signal).then(() => {
      if (!signal.aborted) this.end('lost');
    });
  }
}
