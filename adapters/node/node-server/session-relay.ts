import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { SessionFrames } from '#lib/node/kubelet/server/session-frames.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import { comes } from '#lib/server/channel/comes.ts';
import { isPeerOpen } from './peer-socket.ts';

/** A client's end of a session. */
export interface SessionClient extends Omit<ByteStream, 'delivered'> {
  /** Ends the stream after the bytes that were written, with a reason if the connection can carry one. */
  fail(reason: string): void;
}

const NOTHING = new Uint8Array();

/**
 * Carries a session until the runtime has ended it and the client has left. The client gets every byte that the runtime wrote, however late it reads.
 * Rejects if the runtime breaks the session off before its last frame, and if the client sends no frames. The client is told so if its protocol can.
 */
export async function relaySession(client: SessionClient, runtime: Socket, frames: SessionFrames): Promise<void> {
  const relay = new SessionRelay(client, runtime, frames);
  await Promise.all([relay.write(), relay.read()]);
}

class SessionRelay {
  readonly #client: SessionClient;
  readonly #runtime: Socket;
  readonly #frames: SessionFrames;
  /** Writes that the client has not taken yet. */
  #writes = 0;
  /** The client has the runtime's end. */
  #isOver = false;
  /** The client broke off, or sent no frames. */
  #isGone = false;

  constructor(client: SessionClient, runtime: Socket, frames: SessionFrames) {
    this.#client = client;
    this.#runtime = runtime;
    this.#frames = frames;
  }

  /** Writes the runtime's bytes to the client, and its end. Rejects if the runtime breaks off. */
  async write(): Promise<void> {
    try {
      for await (const chunk of this.#runtime) if (!(await this.#send(this.#frames.fromRuntime(chunk)))) break;
    } catch (error) {
      await this.#broken(error);
    }
    this.#isOver = true;
    this.#client.end();
  }

  /** A runtime that closes its socket while the client still writes resets the connection: no harm behind its last frame. */
  async #broken(error: unknown): Promise<void> {
    if (this.#frames.isOver || this.#isGone) return;
    const reason = `the container runtime broke the session off: ${messageOfError(error)}`;
    await this.#send(this.#frames.broken(reason));
    this.#isOver = true;
    this.#client.fail(reason);
    throw new Error(reason, { cause: error });
  }

  /** Resolves when the client takes more. False if it is gone. */
  async #send(bytes: Uint8Array): Promise<boolean> {
    this.#writes += 1;
    try {
      if (bytes.length > 0) await this.#client.write(bytes);
      return true;
    } catch {
      return false; // its end is told by what is read
    } finally {
      this.#writes -= 1;
      this.#answer();
    }
  }

  /** Answers the client's pings, unless it still has to take bytes. */
  #answer(): void {
    const bytes = this.#writes > 0 || this.#isOver ? NOTHING : this.#frames.answers();
    if (bytes.length > 0) void this.#send(bytes);
  }

  /** Writes the client's bytes to the runtime as long as it reads, and their end. Reads on until the client ends. Rejects for bytes that are no frames. */
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

  /** Ends the runtime's side: nobody reads its output any more. */
  #leave(): void {
    this.#isGone = true;
    this.#runtime.destroy();
  }

  /** The client's bytes, up to where it ends or breaks off. */
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
   * Whether the runtime still has its socket. While no output waits, its end has arrived when it is sent. Otherwise its end is behind output that the
   * client does not take yet, and only the kernel knows.
   */
  async #reads(): Promise<boolean> {
    if (this.#runtime.destroyed || this.#isOver) return false;
    return (await this.#isDrained()) || isPeerOpen(this.#runtime);
  }

  /** Looks for output once more: the first turn may belong to a look before this one. */
  async #isDrained(): Promise<boolean> {
    const before = this.#runtime.bytesRead;
    if (!this.#isIdle) return false;
    await turn();
    await turn();
    return this.#isIdle && this.#runtime.bytesRead === before;
  }

  /** Everything that was read is written, and the end has not come. */
  get #isIdle(): boolean {
    return this.#writes === 0 && this.#runtime.readableLength === 0 && !this.#runtime.readableEnded;
  }
}
