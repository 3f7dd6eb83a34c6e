import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { ChannelState } from './agent-channel.ts';
import { nameTaken } from './hello.ts';

/**
 * Tracks whether an agent may act for its node. It may not while another host has the name, such as the host from which its disk was
 * copied.
 */
export class NameClaim {
  readonly #node: string;
  readonly #needsChannel: boolean;
  readonly #held = Promise.withResolvers<void>();
  #isHeld = false;

  /** If `needsChannel` is set, the agent also may not act while the server has no channels or cannot be reached. */
  constructor(node: string, { needsChannel = false }: { readonly needsChannel?: boolean } = {}) {
    this.#node = node;
    this.#needsChannel = needsChannel;
  }

  /**
   * Handles a report of the channel. By default, an agent may act if the server has no channels or cannot be reached. Throws if another
   * host has taken the name in the meantime.
   */
  take(state: ChannelState): void {
    const isTaken = !state.connected && state.reason === nameTaken(this.#node);
    if (isTaken && this.#isHeld) throw new Error(state.reason);
    if (isTaken || (this.#needsChannel && !state.connected)) return;
    this.#isHeld = true;
    this.#held.resolve();
  }

  /** Resolves once the agent may act, or when the signal aborts. */
  held(signal: AbortSignal): Promise<void> {
    onAbort(signal, () => this.#held.resolve());
    return this.#held.promise;
  }
}
