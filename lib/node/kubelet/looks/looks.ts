import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { jitter } from '#lib/machinery/wait/jitter.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import {
  FOLLOWED,
  type FollowedType,
  isNetworkType,
  type NetworkType,
  TYPES,
} from '#lib/server/channel/followed-types.ts';
import type { FollowedState, NodeLook } from '#lib/server/channel/look.ts';
import { COALESCED, type Notification } from '#lib/server/channel/notification.ts';

/** The known version of each type, and the name of the node's interests if it requests notifications. A poll sends them. */
export type KnownVersions = Readonly<Partial<Record<FollowedType | 'interests', string>>>;

/** The ports and settings of polls. */
export interface LooksOptions {
  /** Polls the server. Rejects if the server does not respond. */
  look(known: KnownVersions): Promise<NodeLook>;
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  random(): number;
  /**
   * Interval in ms between two polls, with up to 10 % jitter so that nodes do not poll together. Undefined while another source reports
   * changes. The node then does not poll.
   */
  frequency(): number | undefined;
  /** Called when a poll failed. The next one follows soon. */
  onFault(error: unknown): void;
  /** Called when the server has stored the node's interests: from now on it sends a notification for each change. */
  onKept?(): void;
  /** Called when the server starts or stops reporting a type that the network follows. */
  onTells?(): void;
}

/**
 * Whether notifications of the type go to many nodes. A node then waits before it polls. Thus nodes do not poll together, and the poll
 * covers skipped notifications.
 */
const isForMany = (type: FollowedType): boolean =>
  type === 'services' || type === 'runtimeclasses' || isNetworkType(type);
/** Delay in ms from a failed poll to the next one, at most the frequency. */
const RETRY = { duration: 1_000, factor: 2, jitter: 1 };
/**
 * Interval in ms after which the node sends its interests again: the server may have lost them, or may hold another connection of the node.
 */
const KEPT = 3_600_000;
/** Time in ms to sleep while the node does not poll. */
const NEVER = 3_600_000;

/** The interests that the server stores: their name, and the monotonic time of its reply. Before that reply they are '' and undefined. */
interface Kept {
  name: string;
  at: number | undefined;
}

/**
 * Finds changes without a watch: it polls the versions of all followed types periodically and after a notification. A failed poll loses
 * nothing, because the next one returns the same changes. A lost, repeated, late or old notification does no harm.
 */
export class Looks {
  readonly #options: LooksOptions;
  readonly #states = new Map<FollowedType, FollowedState>();
  readonly #listeners = new Map<FollowedType, Set<(state: FollowedState) => void>>();
  /** Types of the network with a listener, and those of them that the server does not report. */
  readonly #network = new Set<NetworkType>();
  readonly #untold = new Set<FollowedType>();
  /** Monotonic time of the next poll. */
  #due = 0;
  #bell = new AbortController();
  /** The interests that the server stores for this connection. Their name is '' until then. Undefined while the node cannot be notified. */
  #kept: Kept | undefined;
  #failures = 0;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /** Polls at once, because something may have changed. If a poll is in progress, another one follows it. */
  lookNow(): void {
    this.#lookIn(0);
  }

  /**
   * Polls if the notification names a change that the last poll did not return. It polls at once, or one to two seconds later if all nodes
   * were notified.
   */
  ring(ring: Notification): void {
    const news = this.#followed.filter(
      (type) => Number(ring[type] ?? 0) > Number(this.#states.get(type)?.version ?? 0),
    );
    if (news.some((type) => !isForMany(type))) this.#lookIn(0);
    else if (news.length > 0) this.#lookIn(jitter(COALESCED, 1, () => this.#options.random()));
  }

  /**
   * Called when the node becomes reachable for notifications, or unreachable. It polls at once for missed changes and sends its interests.
   * It polls again a little later, because early notifications may go to the previous connection.
   */
  canBeRung(isSo: boolean): void {
    this.#kept = isSo ? { name: '', at: undefined } : undefined;
    this.#lookIn(isSo ? 0 : this.#apart());
  }

  /** Whether the server reports a type, according to the polls so far. Older servers report no type of the network. */
  tells(type: FollowedType): boolean {
    return !this.#untold.has(type);
  }

  /** The types to poll for. */
  get #followed(): readonly FollowedType[] {
    return [...FOLLOWED, ...this.#network];
  }

  /**
   * Calls the listener with the known state of a type, if any, and then with each new state. Returns a function that removes the listener.
   */
  listen(type: FollowedType, listener: (state: FollowedState) => void): () => void {
    if (isNetworkType(type)) this.#follow(type);
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    const state = this.#states.get(type);
    if (state !== undefined) listener(state);
    return () => void listeners.delete(listener);
  }

  /** Adds a type of the network to the polls and to the notifications. */
  #follow(type: NetworkType): void {
    if (this.#network.has(type)) return;
    this.#network.add(type);
    if (this.#kept !== undefined) this.#kept = { name: '', at: undefined };
    this.#lookIn(0);
  }

  /** The version of a type in the last poll, or undefined before the first one. */
  versionOf(type: FollowedType): string | undefined {
    return this.#states.get(type)?.version;
  }

  /** Polls until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    using _listener = onAbort(signal, () => this.#bell.abort());
    this.#due = clock.monotonic();
    while (!signal.aborted) {
      this.#bell = new AbortController();
      const wait = this.#options.frequency() === undefined ? NEVER : this.#due - clock.monotonic();
      if (wait > 0) await clock.sleep(wait, this.#bell.signal);
      else await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    this.#due = this.#options.clock.monotonic() + this.#apart(); // before the poll: a notification during it causes another one
    try {
      await this.#look();
      this.#failures = 0;
    } catch (error) {
      const delay = delayAfter(++this.#failures, RETRY, () => this.#options.random());
      this.#lookIn(Math.min(this.#apart(), delay));
      this.#options.onFault(error);
    }
  }

  /** Polls within this many milliseconds. */
  #lookIn(milliseconds: number): void {
    this.#due = Math.min(this.#due, this.#options.clock.monotonic() + milliseconds);
    this.#bell.abort();
  }

  /** The delay to the next poll in milliseconds. */
  #apart(): number {
    const { frequency, random } = this.#options;
    return (frequency() ?? NEVER) * (0.9 + 0.2 * random());
  }

  async #look(): Promise<void> {
    const kept = this.#kept;
    const isOld = kept?.at !== undefined && this.#options.clock.monotonic() - kept.at >= KEPT;
    const followed = this.#followed;
    const known = followed.map((type) => {
      const none = isNetworkType(type) ? '' : undefined; // an empty version requests the type
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

  /** Records which types of the network the server does not report. */
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
