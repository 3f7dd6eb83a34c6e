import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { SessionFrames } from '#lib/node/kubelet/server/session-frames.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import { comes } from '#lib/server/channel/comes.ts';
import { isPeerOpen } from './peer-socket.ts';

/** A client's end of a session. */
export interface SessionClient extends Omit<ByteStream, 'delivered'> {
  /** Ends the stream after the written bytes, with a reason if the protocol has one. */
  fail(reason: string): void;
}

const NOTHING = new Uint8Array();

/**
 * Relays a session until the runtime has ended it and the client has disconnected. The client gets every byte that the runtime wrote,
 * however late the client reads. Rejects if the runtime breaks off the session before its last frame, or if the client sends invalid
 * frames. The client receives the reason if its protocol has one.
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
  /** Whether the client has received the runtime's end. */
  #isOver = false;
  /** Whether the client broke off or sent invalid frames. */
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
   * Handles an error of the runtime's connection. A runtime that closes its socket while the client is still writing resets the connection.
   * After the runtime's last frame this is harmless.
   */
  async #broken(error: unknown): Promise<void> {
    if (this.#frames.isOver || this.#isGone) return;
    const reason = `the container runtime broke the session off: ${messageOfError(error)}`;
    await this.#send(this.#frames.broken(reason));
    this.#isOver = true;
    this.#client.fail(reason);
    throw new Error(reason, { cause: error });
  }

  /** Resolves when the client accepts more bytes. Resolves with false if the client has disconnected. */
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

  /** Replies to the client's pings, unless the client has unread bytes. */
  #answer(): void {
    const bytes = this.#writes > 0 || this.#isOver ? NOTHING : this.#frames.answers();
    if (bytes.length > 0) void this.#send(bytes);
  }

  /**
   * Writes the client's bytes to the runtime while the runtime reads, and then the client's end. Continues to read until the client ends.
   * Rejects for invalid frames.
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

  /** Ends the runtime's side when no client reads its output any more. */
  #leave(): void {
    this.#isGone = true;
    this.#runtime.destroy();
  }

  /** Yields the client's bytes until the client ends or breaks off. */
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
   * Whether the runtime still holds its socket. Without pending output, its end arrives as soon as it is sent. Otherwise its end follows
   * output that the client has not accepted, and only the kernel's tables show it.
   */
  async #reads(): Promise<boolean> {
    if (this.#runtime.destroyed || this.#isOver) return false;
    return (await this.#isDrained()) || isPeerOpen(this.#runtime);
  }

  /** Whether no output is pending. Checks twice, because the first turn of the event loop may belong to an earlier poll. */
  async #isDrained(): Promise<boolean> {
    const before = this.#runtime.bytesRead;
    if (!this.#isIdle) return false;
    await turn();
    await turn();
    return this.#isIdle && this.#runtime.bytesRead === before;
  }

  /** Whether all bytes that were read have been written, and the end has not arrived. */
  get #isIdle(): boolean {
    return this.#writes === 0 && this.#runtime.readableLength === 0 && !this.#runtime.readableEnded;
  }
}
