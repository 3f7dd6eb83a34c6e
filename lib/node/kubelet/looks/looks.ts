import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import {
  FOLLOWED,
  type FollowedType,
  isNetworkType,
  type NetworkType,
  TYPES,
} from '#lib/server/channel/followed-types.ts';
import type { FollowedState, NodeLook } from '#lib/server/channel/look.ts';
import { COALESCED, type Ring } from '#lib/server/channel/ring.ts';

/** The versions of types that the node knows, and the name of its interests where it wants to be rung: a look asks with them. */
export type KnownVersions = Readonly<Partial<Record<FollowedType | 'interests', string>>>;

/** The ports and settings of looks. */
export interface LooksOptions {
  /** Asks the server. Rejects where it does not answer. */
  look(known: KnownVersions): Promise<NodeLook>;
  readonly clock: Clock;
  /** Draws a number from 0 to below 1. */
  random(): number;
  /**
   * Milliseconds between two looks, of which up to a tenth more or less by chance: many nodes do not look at once. Undefined while something
   * else tells of changes: it does not look then.
   */
  frequency(): number | undefined;
  /** A look failed; the next follows soon. */
  onFault(error: unknown): void;
  /** The server keeps the interests of the node: from now on it rings for each change. */
  onKept?(): void;
  /** The server begins, or ceases, to tell of a type that the network follows. */
  onTells?(): void;
}

/** Types whose rings are for many nodes: a node waits before it looks, for what it is not rung for meanwhile, and not all look at once. */
const isForMany = (type: FollowedType): boolean =>
  type === 'services' || type === 'runtimeclasses' || isNetworkType(type);
/** Milliseconds until the look after one that failed; twice as many after each that follows, up to the frequency. */
const RETRY = 1_000;
/** Milliseconds after which the server is asked to keep the interests again: it may have lost them, or have another connection of the node. */
const KEPT = 3_600_000;
/** Milliseconds between two attempts to look where nothing is to be looked for: it wakes for nothing but that. */
const NEVER = 3_600_000;

/** The interests that the server keeps: their name, and the monotonic time at which it said so; '' and undefined before. */
interface Kept {
  name: string;
  at: number | undefined;
}

/**
 * Finds out what changed without a watch: asks for the versions of all that the node follows, from time to time and on a ring. A
 * look that fails says nothing: what it would have shown, the next shows. A ring that is lost, repeated, late or old does no harm.
 */
export class Looks {
  readonly #options: LooksOptions;
  readonly #states = new Map<FollowedType, FollowedState>();
  readonly #listeners = new Map<FollowedType, Set<(state: FollowedState) => void>>();
  /** Types of the network that something has listened to; and those of them of which the server does not tell. */
  readonly #network = new Set<NetworkType>();
  readonly #untold = new Set<FollowedType>();
  /** Monotonic time of the next look. */
  #due = 0;
  #bell = new AbortController();
  /** The name of the interests that the server keeps for this connection; '' of none. Undefined while the node cannot be rung. */
  #kept: Kept | undefined;
  #failures = 0;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /** Looks at once: something may have changed. A look that is under way is followed by another one, whatever it is asked for meanwhile. */
  lookNow(): void {
    this.#lookIn(0);
  }

  /** Looks where the ring tells of a change that the last look did not show: at once, or a second or two later if all nodes were rung. */
  ring(ring: Ring): void {
    const news = this.#followed.filter(
      (type) => Number(ring[type] ?? 0) > Number(this.#states.get(type)?.version ?? 0),
    );
    if (news.some((type) => !isForMany(type))) this.#lookIn(0);
    else if (news.length > 0) this.#lookIn(COALESCED * (1 + this.#options.random()));
  }

  /**
   * The node can be rung from now on, or no longer. It looks at once for what it was not rung for, and has its interests kept; and once more
   * a little later, because the rings of the first seconds may go to the connection before.
   */
  canBeRung(isSo: boolean): void {
    this.#kept = isSo ? { name: '', at: undefined } : undefined;
    this.#lookIn(isSo ? 0 : this.#apart());
  }

  /** Whether the server tells of a type, as far as looks have shown. Those of an older version tell of no type of the network. */
  tells(type: FollowedType): boolean {
    return !this.#untold.has(type);
  }

  /** The types to look for. */
  get #followed(): readonly FollowedType[] {
    return [...FOLLOWED, ...this.#network];
  }

  /** Tells the state of a type, if one is known, and then each that differs from the one before; returns the end of it. */
  listen(type: FollowedType, listener: (state: FollowedState) => void): () => void {
    if (isNetworkType(type)) this.#follow(type);
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    const state = this.#states.get(type);
    if (state !== undefined) listener(state);
    return () => void listeners.delete(listener);
  }

  /** Looks for a type of the network too, and has the node rung for it. */
  #follow(type: NetworkType): void {
    if (this.#network.has(type)) return;
    this.#network.add(type);
    if (this.#kept !== undefined) this.#kept = { name: '', at: undefined };
    this.#lookIn(0);
  }

  /** The version of a type that the last look showed; undefined before one did. */
  versionOf(type: FollowedType): string | undefined {
    return this.#states.get(type)?.version;
  }

  /** Looks until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const stop = (): void => this.#bell.abort();
    signal.addEventListener('abort', stop, { once: true });
    this.#due = clock.monotonic();
    while (!signal.aborted) {
      this.#bell = new AbortController();
      const wait = this.#options.frequency() === undefined ? NEVER : this.#due - clock.monotonic();
      if (wait > 0) await clock.sleep(wait, this.#bell.signal);
      else await this.#lookOnce();
    }
    signal.removeEventListener('abort', stop);
  }

  async #lookOnce(): Promise<void> {
    this.#due = this.#options.clock.monotonic() + this.#apart(); // before the look: a ring during it asks for another
    try {
      await this.#look();
      this.#failures = 0;
    } catch (error) {
      this.#lookIn(Math.min(this.#apart(), RETRY * 2 ** this.#failures++ * (1 + this.#options.random())));
      this.#options.onFault(error);
    }
  }

  /** Looks within so many milliseconds. */
  #lookIn(milliseconds: number): void {
    this.#due = Math.min(this.#due, this.#options.clock.monotonic() + milliseconds);
    this.#bell.abort();
  }

  /** Milliseconds to the next look. */
  #apart(): number {
    const { frequency, random } = this.#options;
    return (frequency() ?? NEVER) * (0.9 + 0.2 * random());
  }

  async #look(): Promise<void> {
    const kept = this.#kept;
    const isOld = kept?.at !== undefined && this.#options.clock.monotonic() - kept.at >= KEPT;
    const followed = this.#followed;
    const known = followed.map((type) => {
      const none = isNetworkType(type) ? '' : undefined; // its name asks for it
      return [type, this.#states.get(type)?.version ?? none] as const;
    });
    const seen = await this.#options.look({
      ...Object.fromEntries(known.filter(([, version]) => version !== undefined)),
      ...defined({ interests: isOld ? '' : kept?.name }),
    });
    if (kept !== undefined && kept === this.#kept && seen.interests !== undefined) this.#keep(kept, seen.interests);
    this.#compare(seen, followed);
    for (const type of TYPES) {
      const state = seen[type];
      if (state === undefined || state.version === this.#states.get(type)?.version) continue;
      this.#states.set(type, state);
      for (const listener of this.#listeners.get(type) ?? []) listener(state);
    }
  }

  /** Notes of which types of the network the server does not tell. */
  #compare(seen: NodeLook, asked: readonly FollowedType[]): void {
    let isOther = false;
    for (const type of asked) {
      if (!isNetworkType(type) || (seen[type] === undefined) === this.#untold.has(type)) continue;
      if (seen[type] === undefined) this.#untold.add(type);
      else this.#untold.delete(type);
      isOther = true;
    }
    if (isOther) this.#options.onTells?.();
  }

  #keep(kept: Kept, name: string): void {
    kept.name = name;
    if (name === '') return;
    const isFirst = kept.at === undefined;
    kept.at = this.#options.clock.monotonic();
    if (!isFirst) return;
    this.#options.onKept?.();
    this.#lookIn(COALESCED * (2 + this.#options.random()));
  }
}
