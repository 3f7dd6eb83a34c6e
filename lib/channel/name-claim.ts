import type { ChannelState } from './agent-channel.ts';
import { nameTaken } from './hello.ts';

/** Whether an agent may act for its node: not while another host, such as the one its disk was copied from, holds the name. */
export class NameClaim {
  readonly #node: string;
  readonly #held = Promise.withResolvers<void>();
  #isHeld = false;

  constructor(node: string) {
    this.#node = node;
  }

  /** Takes what the channel reports. A server without channels, or out of reach, refuses nobody. Throws where another host took the name meanwhile. */
  take(state: ChannelState): void {
    const isTaken = !state.connected && state.reason === nameTaken(this.#node);
    if (isTaken && this.#isHeld) throw new Error(state.reason);
    if (isTaken) return;
    this.#isHeld = true;
    this.#held.resolve();
  }

  /** Resolves once the agent may act, or when the signal aborts. */
  held(signal: AbortSignal): Promise<void> {
    if (signal.aborted) this.#held.resolve();
    signal.addEventListener('abort', () => this.#held.resolve(), { once: true });
    return this.#held.promise;
  }
}
