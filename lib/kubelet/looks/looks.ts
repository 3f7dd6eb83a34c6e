import { FOLLOWED, type FollowedState, type FollowedType, type NodeLook } from '#lib/channel/look.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The versions of types that the node knows; undefined before the first look. */
export type KnownVersions = Readonly<Partial<Record<FollowedType, string>>>;

/** The ports and settings of looks. */
export interface LooksOptions {
  /** Asks the server. Rejects where it does not answer. */
  look(known: KnownVersions): Promise<NodeLook>;
  readonly clock: Clock;
  /** Draws a number from 0 to below 1. */
  random(): number;
  /** Milliseconds between two looks, of which up to a tenth more or less by chance: many nodes do not look at once. */
  readonly frequency: number;
  /** A look failed; the next follows. */
  onFault(error: unknown): void;
}

/**
 * Finds out what changed without a watch: asks for the versions of all that the node follows, from time to time and on a ring. A
 * look that fails says nothing: what it would have shown, the next shows.
 */
export class Looks {
  readonly #options: LooksOptions;
  readonly #states = new Map<FollowedType, FollowedState>();
  readonly #listeners = new Map<FollowedType, Set<(state: FollowedState) => void>>();
  #bell = new AbortController();

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /** Looks at once: something changed. */
  ring(): void {
    this.#bell.abort();
  }

  /** Tells the state of a type, if one is known, and then each that differs from the one before; returns the end of it. */
  listen(type: FollowedType, listener: (state: FollowedState) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    const state = this.#states.get(type);
    if (state !== undefined) listener(state);
    return () => void listeners.delete(listener);
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, frequency, random, onFault } = this.#options;
    const stop = (): void => this.ring();
    signal.addEventListener('abort', stop, { once: true });
    while (!signal.aborted) {
      this.#bell = new AbortController(); // before the look: a ring during it asks for another
      await this.#look().catch(onFault);
      await clock.sleep(frequency * (0.9 + 0.2 * random()), this.#bell.signal);
    }
    signal.removeEventListener('abort', stop);
  }

  async #look(): Promise<void> {
    const known = FOLLOWED.map((type) => [type, this.#states.get(type)?.version] as const);
    const seen = await this.#options.look(Object.fromEntries(known.filter(([, version]) => version !== undefined)));
    for (const type of FOLLOWED) {
      const state = seen[type];
      if (state.version === this.#states.get(type)?.version) continue;
      this.#states.set(type, state);
      for (const listener of this.#listeners.get(type) ?? []) listener(state);
    }
  }
}
