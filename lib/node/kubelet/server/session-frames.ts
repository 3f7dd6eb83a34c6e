import { FrameCutter } from './frame-cutter.ts';
import type { SessionProtocol } from './session-protocol.ts';

/** Answers that may wait for a client that does not read. Later pings go unanswered. */
const MAX_ANSWERS = 16;

/**
 * The frames of a session between a client and the runtime. Answers the client's pings, which never reach the runtime: bytes that arrive at a closed
 * socket reset its connection, and the kernel then drops the output that it has not delivered.
 */
export class SessionFrames {
  readonly #protocol: SessionProtocol;
  readonly #client: FrameCutter;
  readonly #runtime: FrameCutter;
  readonly #answers: Uint8Array[] = [];
  /** A frame may begin on the way to the client. */
  #isBetween = true;
  #isOver = false;

  constructor(protocol: SessionProtocol) {
    this.#protocol = protocol;
    this.#client = new FrameCutter((bytes) => protocol.clientLayout(bytes));
    this.#runtime = new FrameCutter((bytes) => protocol.runtimeLayout(bytes));
  }

  /** The runtime has sent its last frame. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The bytes for the runtime in bytes of the client. Throws Error for bytes that are no frames. */
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

  /** The bytes for the client in bytes of the runtime, with the answers that waited for the end of a frame. Throws Error likewise. */
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

  /** The answers that may be sent now. Empty if there are none, or in the middle of a frame of the runtime. */
  answers(): Uint8Array {
    return this.#isBetween && !this.#isOver ? Buffer.concat(this.#answers.splice(0)) : new Uint8Array();
  }

  /** The frames that report to the client that the runtime broke the session off. Empty if the protocol has none. */
  broken(reason: string): Uint8Array {
    const told = this.#isBetween && !this.#isOver ? this.#protocol.broken(reason) : undefined;
    return told ?? new Uint8Array();
  }
}
