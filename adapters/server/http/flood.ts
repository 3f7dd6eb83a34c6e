import { constants, type ServerHttp2Session } from 'node:http2';

/**
 * Allowances in bytes for what a connection sends in addition to its requests: PING, SETTINGS, WINDOW_UPDATE, PRIORITY and RST_STREAM
 * frames, empty and tiny DATA frames, refused requests, and frames of unknown types. node does not report all of these.
 */
const SPARE_BYTES = {
  burst: 64 * 1024,
  perSecond: 4 * 1024,
  /** Allowance for the frames of a request and the encoding of its header fields. */
  perRequest: 256,
  perField: 8,
  /** Maximum bytes of a body that a client may send before the body is read. */
  perUnreadBody: 64 * 1024,
  /** Fraction of the bytes of responses. Some clients return the flow-control window for each event of a watch. */
  ofAnswers: 1 / 4,
} as const;

/** Maximum requests before the client has acknowledged the settings. It may send 100 before it knows them (RFC 9113, 6.5.2). */
const MAX_UNACKNOWLEDGED = 250;

/**
 * Maximum number of pings in one turn of the event loop. At 1,000 unanswered pings nghttp2 ends a connection without GOAWAY. A TLS record
 * can hold 963.
 */
const MAX_PINGS = 250;

/** Interval in ms between two checks of the bytes that connections have sent. */
const INTERVAL = 500;

/** Time in ms between GOAWAY and the end of the connection. */
const MOMENT = 100;

/** The properties of a request that determine its byte allowance. */
export interface Opening {
  readonly rawHeaders: readonly string[];
  readonly hasBody: boolean;
}

/**
 * Ends HTTP/2 connections that flood the server, with GOAWAY and ENHANCE_YOUR_CALM. It does so within half a second after they sent more
 * bytes than their requests explain. It also ends connections that send many requests before they acknowledge the settings, or many pings
 * at once.
 */
export class FloodGuard {
  readonly #counts = new Map<ServerHttp2Session, ByteCount>();
  #timer: NodeJS.Timeout | undefined;

  /** Follows a connection until it closes. */
  add(session: ServerHttp2Session): ByteCount {
    const count = new ByteCount(session);
    this.#counts.set(session, count);
    session.once('close', () => this.#remove(session));
    session.on('ping', () => count.pinged());
    this.#timer ??= setInterval(() => this.#look(), INTERVAL).unref();
    return count;
  }

  #remove(session: ServerHttp2Session): void {
    this.#counts.delete(session);
    if (this.#counts.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const count of this.#counts.values()) if (count.isFlood()) count.end();
  }
}

/** The bytes that are explained by one connection's requests. */
export class ByteCount {
  readonly #session: ServerHttp2Session;
  readonly #began = performance.now();
  #explained = 0;
  #unacknowledged = 0;
  #pings = 0;
  #isEnding = false;

  constructor(session: ServerHttp2Session) {
    this.#session = session;
  }

  /** Counts a new request. Returns false if the connection is about to end and the request should not be served. */
  opened({ rawHeaders, hasBody }: Opening): boolean {
    this.#explained += SPARE_BYTES.perRequest + (hasBody ? SPARE_BYTES.perUnreadBody : 0);
    for (const text of rawHeaders) this.#explained += text.length + SPARE_BYTES.perField;
    if (this.#session.pendingSettingsAck && ++this.#unacknowledged > MAX_UNACKNOWLEDGED) this.end();
    return !this.#isEnding;
  }

  /** Counts a part of a body. */
  received(bytes: number): void {
    this.#explained += bytes;
  }

  /**
   * Counts a ping. Ends the connection at once if there are too many. nghttp2 ignores frames after its own GOAWAY, but would count pings
   * that follow another GOAWAY.
   */
  pinged(): void {
    if (this.#pings++ === 0) setImmediate(() => (this.#pings = 0));
    if (this.#pings > MAX_PINGS) this.#session.destroy(new Flood(), CALM);
  }

  isFlood(): boolean {
    const { socket, destroyed } = this.#session;
    if (destroyed || this.#isEnding) return false;
    const seconds = (performance.now() - this.#began) / 1000;
    const spare = SPARE_BYTES.burst + seconds * SPARE_BYTES.perSecond + socket.bytesWritten * SPARE_BYTES.ofAnswers;
    return socket.bytesRead > this.#explained + spare;
  }

  /**
   * Sends GOAWAY, and closes the connection a moment later. The delay is needed because node sends no frame after a response that is being
   * written.
   */
  end(): void {
    if (this.#isEnding || this.#session.destroyed) return;
    this.#isEnding = true;
    this.#session.goaway(CALM);
    const timer = setTimeout(() => this.#session.destroy(new Flood(), CALM), MOMENT);
    this.#session.once('close', () => clearTimeout(timer));
  }
}

const CALM = constants.NGHTTP2_ENHANCE_YOUR_CALM;

/** The error of a terminated session. Its code has the form of node's own codes. */
class Flood extends Error {
  readonly code = 'ERR_HTTP2_FLOOD';
  constructor() {
    super('the client sent too many frames');
  }
}
