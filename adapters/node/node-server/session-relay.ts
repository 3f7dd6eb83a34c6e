import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { SessionFrames } from '#lib/node/kubelet/server/session-frames.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import { comes } from '#lib/server/channel/comes.ts';
import { isPeerOpen } from './peer-socket.ts';

/** A client's end of a session. */
export interface SessionClient extends Omit<ByteStream, 'delivered'> {
  /** Ends the stream after the written bytes, with a reason if the protocol can carry one. */
  fail(reason: string): void;
}

const NOTHING = new Uint8Array();

/**
 * Carries a session until the runtime has ended it and the client has left. The client gets every byte that the runtime wrote, however late
 * it reads. Rejects if the runtime breaks off the session before its last frame, or if the client sends invalid frames. The client receives
 * the reason if its protocol can carry one.
 */
export async function relaySession(client: SessionClient, runtime: Socket, frames: SessionFrames): Promise<void> {
  const relay = new SessionRelay(client, runtime, frames);
  await Promise.all([relay.write(), relay.read()]);
}

class SessionRelay {
  readonly #client: SessionClient;
  readonly #runtime: Socket;
  readonly #frames: SessionFrames;
  /** The number of writes that the client has not accepted yet. */
  #writes = 0;
  /** The client has received the runtime's end. */
  #isOver = false;
  /** The client broke off or sent invalid frames. */
  #isGone = false;

  constructor(client: SessionClient, runtime: Socket, frames: SessionFrames) {
    this.#client = client;
    this.#runtime = runtime;
    this.#frames = frames;
  }

  /** Writes the runtime's bytes and its end to the client. Rejects if the runtime breaks off. */
  async write(): Promise<void> {
    try {
      for await (const chunk of this.#runtime) if (!(await this.#send(this.#frames.fromRuntime(chunk)))) break;
    } catch (error) {
      await this.#broken(error);
    }
    this.#isOver = true;
    this.#client.end();
  }

  /**
   * Handles an error of the runtime. A runtime that closes its socket while the client still writes resets the connection. This is harmless
   * after its last frame.
   */
  async #broken(error: unknown): Promise<void> {
    if (this.#frames.isOver || this.#isGone) return;
    const reason = `the container runtime broke the session off: ${messageOfError(error)}`;
    await this.#send(this.#frames.broken(reason));
    this.#isOver = true;
    this.#client.fail(reason);
    throw new Error(reason, { cause: error });
  }

  /** Resolves when the client accepts more. False if it is gone. */
  async #send(bytes: Uint8Array): Promise<boolean> {
    this.#writes += 1;
    try {
      if (bytes.length > 0) await this.#client.write(bytes);
      return true;
    } catch {
      return false; // the reader notices its end
    } finally {
      this.#writes -= 1;
      this.#answer();
    }
  }

  /** Answers the client's pings, unless it still has unread bytes. */
  #answer(): void {
    const bytes = this.#writes > 0 || this.#isOver ? NOTHING : this.#frames.answers();
    if (bytes.length > 0) void this.#send(bytes);
  }

  /**
   * Writes the client's bytes to the runtime while the runtime reads, and then their end. Continues to read until the client ends. Rejects
   * for invalid frames.
   */
  async read(): Promise<void> {
    try {
      for await (const chunk of this.#incoming()) {
        const bytes = this.#isOver ? NOTHING : this.#frames.fromClient(chunk);
        this.#answer();
        if (bytes.length > 0 && (await this.#reads())) await this.#pass(bytes);
      }
      this.#runtime.end();
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Ends the runtime's side, because its output has no reader any more. */
  #leave(): void {
    this.#isGone = true;
    this.#runtime.destroy();
  }

  /** The client's bytes until it ends or breaks off. */
  async *#incoming(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#client.incoming;
    } catch {
      this.#leave();
    }
  }

  async #pass(bytes: Uint8Array): Promise<void> {
    if (!this.#runtime.write(bytes)) await comes('drain', this.#runtime);
  }

  /**
   * Whether the runtime still has its socket. Without pending output, its end arrives as soon as it is sent. Otherwise its end follows
   * output that the client has not accepted, and only the kernel knows.
   */
  async #reads(): Promise<boolean> {
    if (this.#runtime.destroyed || this.#isOver) return false;
    return (await this.#isDrained()) || isPeerOpen(this.#runtime);
  }

  /** Checks for output once more, because the first turn may belong to an earlier poll. */
  async #isDrained(): Promise<boolean> {
    const before = this.#runtime.bytesRead;
    if (!this.#isIdle) return false;
    await turn();
    await turn();
    return this.#isIdle && this.#runtime.bytesRead === before;
  }

  /** Everything read has been written, and the end has not arrived. */
  get #isIdle(): boolean {
    return this.#writes === 0 && this.#runtime.readableLength === 0 && !this.#runtime.readableEnded;
  }
}
