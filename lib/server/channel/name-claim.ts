import type { ChannelState } from './agent-channel.ts';
import { nameTaken } from './hello.ts';

/** Whether an agent may act for its node: not while another host, such as the one its disk was copied from, holds the name. */
export class NameClaim {
  readonly #node: string;
  readonly #needsChannel: boolean;
  readonly #held = Promise.withResolvers<void>();
  #isHeld = false;

  /** `needsChannel`: a server without channels, or out of reach, lets nobody act either. */
  constructor(node: string, { needsChannel = false }: { readonly needsChannel?: boolean } = {}) {
    this.#node = node;
    this.#needsChannel = needsChannel;
  }

  /** Takes what the channel reports. A server without channels, or out of reach, refuses nobody as a rule. Throws where another host took the name meanwhile. */
  take(state: ChannelState): void {
    const isTaken = !state.connected && state.reason === nameTaken(this.#node);
    if (isTaken && this.#isHeld) throw new Error(state.reason);
    if (isTaken || (this.#needsChannel && !state.connected)) return;
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
