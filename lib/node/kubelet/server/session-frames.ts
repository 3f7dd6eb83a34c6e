import { FrameCutter } from './frame-cutter.ts';
import type { SessionProtocol } from './session-protocol.ts';

/** Maximum number of replies to queue for a client that does not read. Further pings get no reply. */
const MAX_ANSWERS = 16;

/**
 * Relays the frames of a session between a client and the runtime. It replies to the client's pings itself. A ping that arrived at a socket
 * that the runtime has closed would reset the connection, and the kernel would drop undelivered output.
 */
export class SessionFrames {
  readonly #protocol: SessionProtocol;
  readonly #client: FrameCutter;
  readonly #runtime: FrameCutter;
  readonly #answers: Uint8Array[] = [];
  /** Whether the stream to the client is between two frames. */
  #isBetween = true;
  #isOver = false;

  constructor(protocol: SessionProtocol) {
    this.#protocol = protocol;
    this.#client = new FrameCutter((bytes) => protocol.clientLayout(bytes));
    this.#runtime = new FrameCutter((bytes) => protocol.runtimeLayout(bytes));
  }

  /** Whether the runtime has sent its last frame. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Converts bytes from the client to bytes for the runtime. Throws Error for bytes that are not frames. */
  fromClient(chunk: Uint8Array): Uint8Array {
    const onward: Uint8Array[] = [];
    for (const part of this.#client.cut(chunk)) {
      const pong = part.isPing ? this.#protocol.pong(part) : undefined;
      if (pong === undefined) {
        this.#protocol.sent?.(part);
        onward.push(...(part.isFirst ? [part.head] : []), part.payload);
      } else if (this.#answers.length < MAX_ANSWERS) this.#answers.push(pong);
    }
    return Buffer.concat(onward);
  }

  /**
   * Converts bytes from the runtime to bytes for the client, and inserts pending replies between frames. Throws Error for bytes that are
   * not frames.
   */
  fromRuntime(chunk: Uint8Array): Uint8Array {
    const onward: Uint8Array[] = [];
    for (const part of this.#runtime.cut(chunk)) {
      onward.push(this.answers());
      const { bytes, isWhole } = this.#protocol.onward(part);
      onward.push(bytes);
      this.#isBetween = isWhole;
      this.#isOver ||= this.#protocol.isFarewell(part.head);
    }
    return Buffer.concat(onward);
  }

  /** The pending replies that can be sent now. Empty if there are none, within a frame of the runtime, or after its last frame. */
  answers(): Uint8Array {
    return this.#isBetween && !this.#isOver ? Buffer.concat(this.#answers.splice(0)) : new Uint8Array();
  }

  /** The frames that notify the client that the runtime has broken off the session. Empty if the protocol has no such frames. */
  broken(reason: string): Uint8Array {
    const told = this.#isBetween && !this.#isOver ? this.#protocol.broken(reason) : undefined;
    return told ?? new Uint8Array();
  }
}
