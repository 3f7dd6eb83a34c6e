import type { SessionLink } from '#lib/sdk/extension-apiserver/session.ts';
import type { SessionRequest, ToWorker } from './protocol.ts';

/** Signals to the thread of a session's function. */
interface ThreadSessionPorts {
  /** Called when the function has switched protocols. */
  opened(): void;
  post(message: ToWorker): void;
}

/** A session whose function runs in another thread. At most one message is in transit in each direction. */
export class ThreadSession {
  readonly #link: SessionLink;
  readonly #ports: ThreadSessionPorts;
  readonly #busy = new Set<'receive' | 'send'>();

  constructor(link: SessionLink, ports: ThreadSessionPorts) {
    this.#link = link;
    this.#ports = ports;
  }

  /** Handles a request of the thread. Rejects if the thread violates the protocol. */
  async answer(request: SessionRequest): Promise<void> {
    if (request.type === 'open') {
      this.#ports.opened();
      return this.#link.open();
    }
    const { type, id } = request;
    if (type === 'send' && typeof request.message !== 'string' && !(request.message instanceof Uint8Array))
      throw new TypeError('sent a message of a session that is none');
    if (this.#busy.has(type)) throw new TypeError('sent a message of a session before the last was taken');
    this.#busy.add(type);
    if (type === 'receive') {
      const message = await this.#link.receive();
      this.#busy.delete(type);
      return this.#ports.post({ type: 'message', id, message });
    }
    try {
      await this.#link.send(request.message);
    } catch (error) {
      if (!this.#link.signal.aborted) throw error; // otherwise the session is over, which the thread finds out itself
    }
    this.#busy.delete(type);
    this.#ports.post({ type: 'more', id });
  }
}
